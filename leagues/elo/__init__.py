"""The rating arithmetic. Pure: no database, no site; `update` can be compiled.

May import: engine.balance. Entry points: pool_state.PoolState, explain.
"""
