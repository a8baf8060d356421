// What a model on loopback says in the pictures of scripts/pictures.mjs, in each display language. The pages are those of
// the sample wiki.
const story = (question, sample, steps, rest) => ({
  question,
  /** A question that the built-in researcher answers. */
  sample,
  /** The replies of a run with a plan, a repeated action and an answer with several claims. */
  replies: steps.map(([thought, action], index) => `${thought}\nAction ${index + 1}: ${action}`),
  ...rest,
});

export const STORIES = {
  en: story(
    'Which machine is Note G about, and what did its designer call its memory?',
    'Who designed the Analytical Engine?',
    [
      [
        'Plan:\n1. [x] Find the machine that Note G is about\n2. [ ] Find what its memory was called\nThought 1: I begin with Note G itself; its page should name the machine.',
        'Search[Note G]',
      ],
      ['Thought 2: It is the Analytical Engine. I look for its memory.', 'Search[Note G]'],
      [
        'Thought 3: The same title can’t tell more. I open the page of the machine itself.',
        'Search[Analytical Engine]',
      ],
      ['Thought 4: Now the name of its memory: I look up what Babbage called it.', 'Lookup[called the store]'],
      [
        'Thought 5: Both parts are found.',
        'Finish[Note G is the last of the seven notes that Ada Lovelace added to her translation of a paper on the **Analytical Engine**. The engine has a memory, which Babbage called the **store**. It was as large as a locomotive.]',
      ],
    ],
    {
      /** Over two pages, for the built-in researcher. */
      hops: 'Which space company did the chief executive of Tesla also found?',
      written: 'Thought 3: The same title can’t tell more, so the page of the mach',
      limitAnswer:
        'Thought 3: I answer with what I have.\nAction 3: Finish[Note G is about the Analytical Engine; what its memory was called was not found.]',
      longAnswer: 'Each of the thousand pages was read, and the mill did the four kinds of sums.',
    },
  ),
  'zh-cn': story(
    '阿达·洛芙莱斯为哪种机器写了注释？这种机器的存储器叫什么？',
    '哪家公司开发了 ChatGPT？',
    [
      [
        'Plan:\n1. [x] 查明她为哪种机器写了注释\n2. [ ] 查明它的存储器叫什么\nThought 1: 先看洛芙莱斯的页面，其中应当写明是哪种机器。',
        'Search[阿达·洛芙莱斯]',
      ],
      ['Thought 2: 是分析机。再找它的存储器。', 'Search[阿达·洛芙莱斯]'],
      ['Thought 3: 同一个标题给不出更多内容，打开分析机自己的页面。', 'Search[分析机]'],
      ['Thought 4: 在这一页里查“仓库”。', 'Lookup[仓库]'],
      [
        'Thought 5: 两个问题都有了答案。',
        'Finish[她以对**分析机**所作的注释闻名。分析机的存储器称为“仓库”，运算器称为“工场”。它有火车头那么大。]',
      ],
    ],
    {
      hops: '特斯拉的首席执行官还创办了哪家太空公司？',
      written: 'Thought 3: 同一个标题给不出更多内容，打开分析机自己的页',
      limitAnswer: 'Thought 3: 用已有的内容回答。\nAction 3: Finish[她的注释写的是分析机；存储器叫什么没有找到。]',
      longAnswer: '一千个页面都读过了。',
    },
  ),
};
