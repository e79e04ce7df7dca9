"""Survey links as they are put on the sites, with what each site needs around them."""

from html import escape

from annotations.recruiting.recruitment import Recruitment, link_token
from annotations.workspace import Workspace
from ui.links import address

_PROLIFIC = "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
_QUESTION = """<?xml version="1.0" encoding="UTF-8"?>
<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/\
2006-07-14/ExternalQuestion.xsd">
  <ExternalURL>{url}</ExternalURL>
  <FrameHeight>600</FrameHeight>
</ExternalQuestion>
"""


def survey_link(workspace: Workspace, recruitment: Recruitment) -> str:
    """Return the address to enter on the site: for Prolific with its placeholders.

    For Mechanical Turk it is the page that stands in the frame of the HIT, to which the site adds
    worker, assignment and HIT; it opens the work in a page of its own.
    """
    token = link_token(workspace, recruitment)
    if recruitment.site.name == "mturk":
        return f"{address(workspace)}/recruit/frame/{token}"
    return f"{address(workspace)}/recruit/{token}{_PROLIFIC}"


def external_question(workspace: Workspace, recruitment: Recruitment) -> str:
    """Return the XML of the question that a HIT of Mechanical Turk is made with."""
    return _QUESTION.format(url=escape(survey_link(workspace, recruitment)))
