/** Words whose period usually ends no sentence, and words that usually begin one. Data for the sentence splitter. */

const words = (list: string) => new Set(list.trim().split(/\s+/));

/** A name follows: titles, ranks, and what stands before the word it belongs to. The period never ends a sentence. */
export const BEFORE_A_NAME = words(`
  Mr Mrs Ms Mx Dr Drs Prof Messrs Mme Mlle Mgr Msgr Hon Rev Fr Sr Sra Srta Dra Dª D Dña Ing Lic Hr Fr Hl
  Gen Lt Col Maj Capt Cpt Cmdr Cdr Adm Sgt Cpl Pvt Brig Gov Sen Rep Pres Supt Insp Det Amb
  Mt Ft Pt EE cf viz vs v eg ie approx ca c est resp incl excl b d r fl née bzw vgl sog Sog usw z u d i o
  ed eds trans transl comp illus dept univ assn
`);

/** A number follows (No. 5, pp. 14–19). Before anything else the period is a full stop. */
export const BEFORE_A_NUMBER = words(`
  No Nos no nos Nr nr núm Núm nº vol vols Vol Vols p pp P Pp ch chs Ch fig figs Fig Figs art Art arts sec Sec secs
  op Op ep Ep para par pt Bd Abb Abs Kap S Art tab Tab eq Eq c ca ver Ver rev
  Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
`);

/** May stand at the end of a sentence as well: what follows decides. */
export const MAY_END = words(`
  Inc Ltd Co Corp Cos Bros Mfg LLC plc Jr Sr Esq St Ave Blvd Rd Sq Hwy Bldg al UU Cía Gmbh
  lb lbs oz ft mi sq yd km cm mm min sec hr hrs deg wt
  Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun
  Calif Mass Conn Penn Tenn Wash Ariz Colo Fla Ill Ind Mich Minn Miss Okla Ore Tex Wis
  Str bzw Jh Jhd Chr
`);

/** After a time of day these go on: 6 p.m. Monday, 9 a.m. EST. */
export const AFTER_A_TIME = words(`
  Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September
  October November December EST EDT CST CDT MST MDT PST PDT GMT UTC BST CET CEST Eastern Central Pacific Mountain
`);

/** German writes ordinals with a period; without a known language these words after a number show one. */
export const AFTER_A_GERMAN_ORDINAL = words(`
  Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert Jahrhunderts
  Jahrhunderte Jahrtausend
`);

/** Languages that write 3. for third. */
export const ORDINAL_LANGUAGES = words('de da nb nn no fi cs sk hu pl sl hr sr is et lv tr');

const STARTERS: Record<string, ReadonlySet<string>> = {
  en: words(`
    A An The This That These Those There Here He She It They We You I His Her Its Their Our My Your Who What When Where
    Why How Which While After Before Since Until Once If Although Though Because As At By During For From In On Of Over
    Under With Without Within Between Both But And Or Nor So Yet However Moreover Furthermore Nevertheless Instead Then
    Thus Today Later Now Most Many Some Several All Another Each Every Everyone Everybody Nobody No None Only Other
    Others Not Despite According Also Soon Even Is Was Are Were Did Does Do Has Had To
  `),
  de: words(`
    Der Die Das Den Dem Des Ein Eine Einen Einem Einer Er Sie Es Wir Ich Ihr Ihre Ihren Sein Seine Seinen Dieser Diese
    Dieses Im In Am An Auf Aus Bei Mit Nach Seit Von Vor Zu Zum Zur Als Wenn Weil Da Doch Aber Und Oder So Auch Nur Hier
    Dort Dann Danach Heute Später Während Durch Für Unter Über Bis
  `),
  es: words(`
    El La Los Las Un Una Unos Unas Él Ella Ello Ellos Ellas Su Sus Este Esta Estos Estas Ese Esa Esto Eso En De Del Al A
    Con Por Para Desde Hasta Según Tras Durante Como Cuando Donde Si Pero Y O No Se Lo Le Les Es Son Fue Era Hay También
    Hoy Después Luego Aunque Así
  `),
  fr: words(`
    Le La Les L Un Une Des Il Elle Ils Elles On Ce Cet Cette Ces Son Sa Ses Leur Leurs En Dans De Du Au Aux À Avec Par
    Pour Sur Sous Depuis Après Avant Comme Quand Si Mais Et Ou Où Donc Or Ni Car Puis Ensuite Aujourd Selon
  `),
};

/** Words that usually begin a sentence, for a BCP 47 tag; English where the language is not known. */
export function sentenceStarters(language: string | undefined): ReadonlySet<string> {
  return STARTERS[language?.slice(0, 2).toLowerCase() ?? 'en'] ?? STARTERS.en!;
}
