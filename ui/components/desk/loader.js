// What Streamlit holds: it fetches the desk from our own route, where the files lie side by side.
// Streamlit runs this text from a blob, so the address must be made absolute.

export default async function (component) {
  const address = new URL(component.data.assets + (component.data.module ?? "main.js"), document.baseURI).href;
  const { default: mount } = await fetched(address);
  return mount(component);
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
