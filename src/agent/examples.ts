import type { Language } from './event';

/** A worked example (few-shot): one whole trajectory in the numbered notation. Facts checked; wording our own. */
export interface Example {
  /** Tools it uses: it is shown only when all of them are on. */
  tools: readonly string[];
  text: string;
}

/**
 * Four ways a run can go, with varied actions on purpose (a manual whose examples repeat an action teaches repeating):
 * several hops; an answer that only Lookup finds; a miss with similar titles that are compared; a calculation.
 */
export const EXAMPLES: Record<Language, readonly Example[]> = {
  en: [
    {
      tools: ['Search', 'Lookup'],
      text: `Question: How tall is the tower named after the engineer whose company built the iron frame of the Statue of Liberty?
Thought 1: I need the engineer of the frame first, so I search the Statue of Liberty.
Action 1: Search[Statue of Liberty]
Observation 1: The Statue of Liberty is a copper statue in New York Harbor, a gift from France, dedicated in 1886. (214 sentences)
Thought 2: The lead does not name the engineer. I look for the frame.
Action 2: Lookup[frame]
Observation 2: (Result 1 / 2) Viollet-le-Duc first planned a pier of masonry instead of a frame.
Thought 3: That is the earlier plan. I need the next result.
Action 3: Lookup[frame]
Observation 3: (Result 2 / 2) After his death in 1879, Gustave Eiffel took over and his company built the iron frame.
Thought 4: The engineer is Gustave Eiffel, so the tower is the Eiffel Tower.
Action 4: Search[Eiffel Tower]
Observation 4: The Eiffel Tower is a wrought-iron lattice tower in Paris. It is 330 metres tall.
Thought 5: The page states the height.
Action 5: Finish[330 metres (the Eiffel Tower)]`,
    },
    {
      tools: ['Search', 'Lookup'],
      text: `Question: In which field did Marie Curie receive her second Nobel Prize?
Thought 1: I search Marie Curie.
Action 1: Search[Marie Curie]
Observation 1: Marie Curie was a Polish-French physicist and chemist who did research on radioactivity. (188 sentences)
Thought 2: The page is right, but the lead lacks the second prize. I look for 1911, its year.
Action 2: Lookup[1911]
Observation 2: (Result 1 / 3) In 1911 she received the Nobel Prize in Chemistry for the discovery of polonium and radium.
Thought 3: Her second prize was in chemistry.
Action 3: Finish[Chemistry]`,
    },
    {
      tools: ['Search'],
      text: `Question: What is the chemical symbol of quicksilver?
Thought 1: I search the substance by its old name.
Action 1: Search[quicksilver substance]
Observation 1: No page has this title. Similar titles: Quicksilver (film), a 1986 film; Mercury (planet), a planet; Mercury (element), a chemical element.
Thought 2: A film and a planet have no chemical symbol, so I exclude them. The element fits.
Action 2: Search[Mercury (element)]
Observation 2: Mercury is a chemical element with the symbol Hg. It is also known as quicksilver.
Thought 3: The page confirms that mercury is quicksilver, with the symbol Hg.
Action 3: Finish[Hg]`,
    },
    {
      tools: ['Calculator'],
      text: `Question: What is 12.5 % of 1,840, plus 7?
Thought 1: This is arithmetic, so I calculate it.
Action 1: Calculator[1840 * 0.125 + 7]
Observation 1: 237
Thought 2: That is the result.
Action 2: Finish[237]`,
    },
  ],
  'zh-CN': [
    {
      tools: ['Search', 'Lookup'],
      text: `问题：自由女神像的铁骨架由一家公司建造，以这家公司创办人的名字命名的铁塔有多高？
Thought 1: 先要知道骨架由谁建造，搜索自由女神像。
Action 1: Search[自由女神像]
Observation 1: 自由女神像是纽约港的一座铜像，由法国赠送，1886 年落成。（共 96 句）
Thought 2: 开头没有提到建造者，查找“骨架”。
Action 2: Lookup[骨架]
Observation 2: （结果 1 / 2）维奥莱-勒-迪克最初打算用砖石墩，而不用骨架。
Thought 3: 这是早先的方案，看下一条结果。
Action 3: Lookup[骨架]
Observation 3: （结果 2 / 2）他 1879 年去世后，由居斯塔夫·埃菲尔接手，其公司建造了铁骨架。
Thought 4: 创办人是埃菲尔，铁塔就是埃菲尔铁塔。
Action 4: Search[埃菲尔铁塔]
Observation 4: 埃菲尔铁塔是巴黎的一座锻铁塔，高 330 米。
Thought 5: 页面给出了高度。
Action 5: Finish[330 米（埃菲尔铁塔）]`,
    },
    {
      tools: ['Search', 'Lookup'],
      text: `问题：玛丽·居里第二次获得的是哪个领域的诺贝尔奖？
Thought 1: 搜索玛丽·居里。
Action 1: Search[玛丽·居里]
Observation 1: 玛丽·居里是波兰裔法国物理学家、化学家，研究放射性。（共 102 句）
Thought 2: 页面没错，但开头没有提到第二次获奖，查找获奖的年份 1911。
Action 2: Lookup[1911]
Observation 2: （结果 1 / 3）1911 年，她因发现钋和镭获得诺贝尔化学奖。
Thought 3: 第二次获得的是化学奖。
Action 3: Finish[化学]`,
    },
    {
      tools: ['Search'],
      text: `问题：“水银”的化学符号是什么？
Thought 1: 用俗名搜索。
Action 1: Search[水银物质]
Observation 1: 没有这个标题的页面。相近标题：水银（乐队），摇滚乐队；水星，行星；汞，化学元素。
Thought 2: 乐队和行星没有化学符号，排除；化学元素“汞”相符。
Action 2: Search[汞]
Observation 2: 汞是一种化学元素，符号为 Hg，俗称水银。
Thought 3: 页面确认汞就是水银，符号是 Hg。
Action 3: Finish[Hg]`,
    },
    {
      tools: ['Calculator'],
      text: `问题：1840 的 12.5% 再加 7 是多少？
Thought 1: 这是算术，直接计算。
Action 1: Calculator[1840 * 0.125 + 7]
Observation 1: 237
Thought 2: 得到结果。
Action 2: Finish[237]`,
    },
  ],
};
