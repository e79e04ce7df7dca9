// What Streamlit holds: it fetches the desk from our own route, where the files lie in folders.
// Streamlit runs this text from a blob, so the address must be made absolute.

export default async function (component) {
  for (const name of component.data.preload ?? [])
    preload(new URL(component.data.assets + name, document.baseURI).href);
  const address = new URL(component.data.assets + component.data.module, document.baseURI).href;
  const { default: mount } = await fetched(address);
  return mount(component);
}

// All modules at once instead of one level of imports after the other.
function preload(href) {
  if (document.head.querySelector(`link[rel="modulepreload"][href="${href}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}

async function fetched(address) {
  for (const wait of [500, 2000, 5000]) {
    try {
      return await import(address);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return import(address);
}
