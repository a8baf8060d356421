/** Words for steps that differ as real ones do: a loop that repeats itself would be ended by the loop guard. */
const WORDS =
  `anchor basalt candle delta engine falcon garnet harbour indigo juniper kettle lantern meadow nectar orchard pebble quarry river saddle timber umbra valley willow xylem yarrow zephyr
   amber bridge copper dragon ember forest glacier hollow island jasmine kernel ladder marble needle oyster palace quartz ribbon sparrow tunnel urchin velvet walnut yonder zenith
   archive beacon cinder dynamo easel fossil granite hammock iris jetty krill loom magnet nugget opal piston quill rudder spindle turbine usher vessel wharf yeast zircon`
    .trim()
    .split(/\s+/);

function words(seed: number, count: number): string {
  let state = seed * 7919 + 13;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return WORDS[state % WORDS.length];
  }).join(' ');
}

/** The reply of one step, up to its action; the last is Finish. */
export function replyText(step: number, steps: number): string {
  const action = step === steps ? 'Finish[Charles Babbage]' : `Search[${words(step, 3)}]`;
  return `Thought ${step}: ${words(step + 1000, 33)}.\nAction ${step}: ${action}`;
}

/** What a tool observes: about 400 characters. */
export function observe(input: string): string {
  const seed = Array.from(input).reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 65521, 7);
  return `${input}: ${words(seed, 20)}. ${words(seed + 1, 20)}. ${words(seed + 2, 18)}.`;
}
