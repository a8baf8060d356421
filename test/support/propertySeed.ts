import fc from 'fast-check';

/**
 * Property tests repeat themselves, so that a failure is never somebody else's. REACT_AGENT_TEST_SEED=random looks further;
 * a number repeats a run of that kind.
 */
const asked = process.env.REACT_AGENT_TEST_SEED;
if (asked !== 'random') fc.configureGlobal({ seed: Number(asked ?? 1843) });
