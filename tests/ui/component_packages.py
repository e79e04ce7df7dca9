"""The packages that bring components to Streamlit, looked for once in a process of the tests.

Streamlit reads what is written about each of hundreds of installed packages whenever an AppTest is
made: that was most of the time of tests of pages. While tests run, nothing is installed.
"""

from functools import cache

from streamlit.components.v2 import manifest_scanner

manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
