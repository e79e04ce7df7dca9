import numpy as np
import pytest

from core import plugins
from core.statistics.metric import INPUTS, OF_CONDITIONS, needs


@pytest.mark.parametrize("name", plugins.names("core.metrics"))
def test_every_statistic_keeps_the_contract(name):
    module = plugins.load("core.metrics", name)
    assert module.NAME
    assert module.NAME[0].isupper()
    low, high = module.RANGE
    assert low < high
    assert isinstance(module.HIGHER_IS_BETTER, bool)
    assert module.__doc__
    assert callable(module.rows)
    assert needs(module)
    assert set(needs(module)) <= set(INPUTS)
    if set(needs(module)) <= set(OF_CONDITIONS):
        assert len(needs(module)) == 2


@pytest.mark.parametrize("name", plugins.names("core.metrics"))
def test_every_statistic_reads_many_sets_of_totals_as_it_reads_one(name):
    module = plugins.load("core.metrics", name)
    totals = np.array([[[2.0, 4.0], [1.0, 3.0]], [[0.0, 5.0], [0.0, 0.0]]])
    totals = np.tile(totals, getattr(module, "COLUMNS", 2) // 2)
    values = module.value(totals)
    assert values.shape == (2, 2)
    for place in np.ndindex(2, 2):
        one = module.value(totals[place])
        assert one == values[place] or (np.isnan(one) and np.isnan(values[place]))
        assert bool(module.undefined(totals[place])) == bool(np.isnan(one))
        assert np.isnan(one) or module.RANGE[0] <= one <= module.RANGE[1]
