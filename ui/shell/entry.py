"""What Streamlit runs.

It stands apart from ui/pages/, which Streamlit would else take for pages of its own kind and run
by themselves when a browser comes back to a server that was restarted.
"""

from ui.shell.app import main

main()
