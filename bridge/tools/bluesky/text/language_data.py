"""List closed-class words and letters of languages, for language.py.

The words of a language are in this order: articles, pronouns, demonstratives, prepositions,
conjunctions, forms of "to be" and of auxiliaries, negation, question words, adverbs, quantifiers.
"""
# ruff: noqa: RUF001 - words of many alphabets

from __future__ import annotations

WORDS = """
en: the a an i you he she it we they me him us them my your his her its our their this that these those of
  to in on at by for from with about into and or but if because than as so is are was be been have has had
  do did will would can not no what who which when how there here now just all today some every
de: der die das den dem des ein eine einen einem einer ich du er sie es wir ihr mich sich mir uns mein diese
  dieser dieses in im an am auf aus bei mit nach von vor zu zum zur für über um und oder aber wenn dass weil
  als wie ist sind war habe hat haben wird werden kann nicht kein keine was wer auch nur noch schon sehr so
  hier man alle alles heute jetzt
fr: le la les l un une des je j tu il elle on nous vous ils me m te se s lui leur y en mon ma mes son sa ses
  votre ce cette ces c ça de d du à au aux dans par pour sur avec sans et ou mais si que qu qui comme quand
  est sont était suis ai a ont être ne n pas où aussi plus très tout tous toutes aujourd vraiment
es: el la los las un una lo yo tú él ella ellos me te se nos le les mi tu su sus este esta esto estos ese
  eso de del a al en con por para sin sobre entre desde hasta y o pero si porque como cuando que es son era
  fue ser está ha he han hay no qué quién también ya muy más ahora aquí todo todos nada hoy tan e
pt: o a os as um uma eu ele ela nós eles você me te se lhe meu minha seu sua este esta isto esse isso de do
  da dos das em no na nos nas ao aos à às com por pelo pela para sem sobre até e ou mas porque como quando
  que é são era foi ser está tem há não quem onde também já muito mais só agora aqui todo todos tudo nada
  hoje
it: il lo la i gli le un uno una l io tu lui lei noi voi loro mi ti si ci ne mio mia suo sua questo questa
  quello che di del della dei delle degli a al alla da dal in nel nella con su per tra e ed o ma se perché
  come quando è sono era ho ha hanno non cosa chi dove anche più molto già tutti tutto oggi
nl: de het een ik jij je hij zij ze wij we u ons hem haar me zich mijn uw zijn hun dit dat deze die van in
  op aan met voor bij uit naar over tot om door te en of maar als dan omdat is was heeft heb hebben wordt
  worden kan moet zal niet geen wat wie waar hoe ook er nog al zo nu hier alle alles niets vandaag
ca: el la els les l un una uns jo tu ell ella nosaltres ells em et es ens us li s n m d meu meva seu seva
  aquest aquesta això de del dels a al als en amb per sense sobre fins des entre i o però perquè si quan com
  que és són era ha he han hi està no què qui on també ja molt més ara aquí tot tots avui
gl: o a os as un unha eu ti el ela nós eles me te se lle lles meu miña seu súa este esta isto ese iso de do
  da dos das en no na nos nas ao á aos ás con co coa por polo pola para sen sobre ata desde e ou pero porque
  cando como que é son foi era está ten hai non quen onde tamén xa moi máis agora aquí todo todos hoxe
ro: un o eu tu el ea noi voi ei ele mă te îl îmi se lui îi le meu mea său sa lor acest această acesta de la
  în din cu pe pentru prin fără despre până după între și sau dar că dacă când ca să este e sunt a fi au am
  era fost va vor poate nu ce cine unde cum care mai foarte acum aici doar tot toate toți
sq: një unë ti ai ajo ne ju ata ato më të e i u na im tij saj tyre ky kjo këtë këto në nga me për mbi pa
  prej deri te pas dhe ose por që se nëse kur sepse është janë jam ishte ka kanë kam do mund duhet nuk mos
  çfarë kush ku si pse shumë edhe tani këtu vetëm gjithë sot
sv: en ett den det de jag du han hon vi ni mig dig sig oss dem min mitt din sin denna detta dessa i på av
  för till från med om vid efter under mellan över utan och eller men att som när eftersom än är var har
  hade vara blir ska kan vill inte ingen vad vem hur också bara mycket nu här så alla allt idag
da: en et den det de jeg du han hun vi mig dig sig os dem min mit din sin denne dette disse i på af for til
  fra med om ved efter under mellem over uden og eller men at som hvis når fordi end er var har havde være
  bliver blev skal kan vil ikke ingen hvad hvem hvor hvordan også kun meget nu her så alle alt der noget
  nogle ud op ind mere igen gør blive
nb: en et ei den det de jeg du han hun vi dere meg deg seg oss dem min mitt din sin denne dette disse i på
  av for til fra med om ved etter under mellom over uten og eller men at som hvis når fordi enn er var har
  hadde være blir ble skal kan vil ikke ingen hva hvem hvor hvordan også bare mye nå her så noe alle alt
  noen ut opp inn mer igjen gjør bli
nn: ein ei eit den det dei eg du han ho vi me meg deg seg oss min mi sin sitt denne dette desse i på av for
  til frå med om ved etter under mellom over utan og eller men at som viss når fordi enn er var har hadde
  vere blir vart skal kan vil ikkje ingen kva kven kvar korleis også berre mykje no her så noko òg alle alt
  ut opp inn meir gjer bli
is: ég þú hann hún það við þið þeir þær þau mig þig sig mér þér sér honum henni því minn mín sinn þessi
  þetta þessa þeim þess í á af um til frá með eftir undir milli yfir án fyrir úr að og eða en ef þegar sem
  er eru var hefur hafa vera verður verið ekki hvað hver hvar hvernig líka bara mjög nú hér svo allt allir
fo: eg tú hann hon tað vit tit teir tær tey meg teg seg mær sær honum mín tín sín hesin hetta hesi í á av um
  til frá við eftir undir millum yvir uttan fyri úr og ella men tá sum at er eru var vóru hevur hava vera
  verður kann skal ikki eingin hvat hvør hvar hvussu eisini bert nógv nú her so ein eitt
fi: minä sinä hän me te he se ne minun sinun hänen sen sitä siitä siinä tämä tuo nämä tätä tässä joka jotka
  jonka jossa mikä mitä kuka missä miten miksi ja tai mutta että jos kun koska kuin sekä on ovat oli olen
  olla ollut voi ei en et eivät myös vain nyt vielä jo niin aina kanssa ilman kaikki
et: mina ma sina sa tema ta meie me teie te nemad nad minu mu sinu su selle seda sellest see need kes mis
  mida kus kuidas miks kas ja või aga et kui sest kuid ning on oli olen oled olla olnud võib saab peab ei
  ära pole ka ainult nüüd veel juba nii väga siin ilma koos pärast kuni kõik täna
pl: ja ty on ona my oni mnie mi cię go mu jej jego ich im nas się mój moja swój ten ta to te tego tej tym
  tych w z ze na do od o po za przez przy dla bez przed i oraz a albo lub ale że jeśli gdy bo aby niż jest
  są był była było być będzie ma może nie co kto gdzie jak który która które też tylko już jeszcze bardzo tu
  wszystkie wszyscy wszystko dziś swoje
cs: já ty on ona my vy mě mi tě ti ho mu jí jeho jejich nás se si můj svůj ten ta to tento tato toto tyto
  tím v ve z ze na do od o po za při pro bez před pod s k u a i nebo ale že pokud když protože aby než je
  jsou byl byla bylo být bude jsem jste má může není co kdo kde jak který která které také jen už ještě vše
  všichni všechny dnes
sk: ja ty on ona my vy mi ťa ti ho mu jej jeho ich nás sa si môj svoj ten tá to tento táto toto tieto tým v
  vo z zo na do od o po za pri pre bez pred pod s k u a aj alebo ale že ak keď pretože aby ako je sú bol
  bola bolo byť bude som ste má môže nie čo kto kde ktorý ktorá ktoré tiež len už ešte všetko všetci všetky
  dnes
sl: jaz ti on ona mi vi me te ga mu ji jo jih se si moj svoj njegov ta to tega tem teh v z s na do od o po
  za pri brez pred pod med iz k in ali pa ampak da če ko ker kot vendar je so bil bila bilo biti bo sem smo
  ste ima lahko ni ne kaj kdo kje kako ki tudi samo že še zelo vse vsi danes zdaj
sh: ja ti on ona mi vi oni me te ga mu ju ih im se si moj svoj njegov taj to ta ovo ovaj ova tog u iz s sa
  na do od o po za bez pred pod između i ili ali a da ako kad kada jer kao nego je su bio bila bilo biti će
  sam smo ste ima može nije ne što šta gdje gde kako koji koja koje samo već još sve svi danas
hu: a az egy én te ő mi ti ők engem téged őt magát ez ezt azt ezek azok és vagy de hogy ha mert mint mivel
  amikor ahol aki ami amely van vannak volt lesz vagyok lehet kell lett nem sem ne nincs mit ki hol hogyan
  miért is csak még már most itt nagyon így után között által minden meg ma
lt: aš tu jis ji mes jūs jie jos mane tave jį ją jam mums jums mano tavo jo savo mūsų jų šis ši šio tai tas
  ta šie į iš su be nuo iki prie po per apie dėl už tarp ant ir ar arba bet kad jei kai nes kaip o yra buvo
  būti bus gali turi ne nėra kas kur kodėl kuris kuri taip pat tik dar jau labai čia visi viskas
lv: es tu viņš viņa mēs jūs viņi mani tevi viņu man tev viņam sev mums jums mans savu mūsu jūsu šis šī šo
  tas to tā šie tie uz no ar bez līdz pie pēc par starp zem un vai bet ka ja kad jo kā lai ir bija būt būs
  esmu nav var tiek ne kas kur kāpēc kurš kuru arī tikai vēl jau ļoti šeit tagad visi viss šodien
tr: bir ben sen o biz siz onlar beni seni onu bana sana ona kendi benim senin onun bizim sizin bu şu bunu
  bunlar ve veya ya da de ama fakat ancak eğer çünkü ki ise ile için gibi kadar sonra önce göre olarak var
  yok olan olur değil mi mı ne kim nerede nasıl neden çok daha en her hiç şimdi tüm bütün bugün
az: bir mən sən o biz siz onlar məni səni onu mənə sənə ona öz mənim sənin onun bizim sizin bu bunu bunlar
  və ya da də amma lakin əgər çünki ki isə ilə üçün kimi qədər sonra əvvəl görə olaraq var yox olan olur
  deyil nə kim harada necə niyə hansı çox daha ən hər heç indi bütün gün
id: saya aku kamu anda dia ia kami kita mereka ini itu tersebut di ke dari pada untuk dengan oleh tanpa
  dalam tentang sebagai antara dan atau tetapi tapi jika kalau karena bahwa agar adalah ada akan telah sudah
  sedang bisa dapat harus tidak bukan belum jangan apa siapa mana bagaimana yang juga hanya sangat lebih
  lagi sekarang semua
ms: saya aku awak anda dia ia kami kita mereka ini itu tersebut di ke dari pada daripada kepada untuk dengan
  oleh tanpa dalam tentang sebagai antara dan atau tetapi jika kalau kerana bahawa supaya apabila adalah
  ialah ada akan telah sudah sedang boleh dapat mesti tidak bukan belum jangan apa siapa mana bagaimana yang
  juga hanya sahaja sangat lebih lagi semua
tl: ang ng sa si ni kay mga isang ako ikaw ka siya kami tayo kayo sila ko mo niya namin natin ninyo nila
  akin iyo kanya ito iyan iyon nito dito at o pero ngunit kung dahil kapag para upang na ay may mayroon wala
  hindi huwag ano sino saan paano bakit din rin lang lamang pa ba po lahat ngayon
sw: mimi wewe yeye sisi ninyi wao yangu yako yake wangu wake wetu langu hii hiyo huyu hili hizi ile ya wa za
  la cha vya kwa katika na ni kutoka hadi kama baada kabla bila au lakini kwamba ikiwa ili si sio ana nina
  tuna wana kuwa ilikuwa nini nani wapi vipi gani pia tu sana sasa hapa bado zaidi kila leo
vi: tôi bạn anh chị em nó chúng ta họ mình này đó kia ấy đây của ở trong trên dưới với cho từ đến bằng về
  tại ra vào và hoặc hay nhưng nếu vì thì mà khi như để là có được bị đã đang sẽ phải thể cần không chưa gì
  ai nào đâu sao một các những cũng chỉ rất vẫn còn tất cả mọi đều
eu: bat ni zu hura gu nire zure bere gure hau hori hauek horiek honen horren eta edo baina ere bezala baino
  arte gabe da dira zen ziren dago daude naiz zara gara du dute dut dugu zuen izan behar ahal ez ezin zer
  nor non nola noiz zergatik zein oso orain hemen beste dela duen den diren dituen gaur
ga: an na mé tú sé sí muid sinn sibh siad é í iad mo do a ár seo sin i ar ag as le leis ó de faoi roimh chun
  idir gan go agus nó ach má nuair mar is tá bhí beidh atá bhfuil raibh ní níl nach níor cad cé cá conas
  freisin anois anseo ansin níos agam liom
cy: y yr r fi ti ef hi ni chi nhw i fy dy ei ein eich eu hwn hon hyn o yn ar at gan am dan dros heb rhwng
  wrth gyda trwy mewn a ac neu ond os pan fel mae yw oes oedd bydd wedi bod sydd ddim nid beth pwy ble sut
  pam pryd hefyd yma nawr iawn hynny
eo: la mi vi li ŝi ĝi ni ili oni mia via lia ĝia nia ilia sia tiu tio tiuj ĉi tiun tion de al en el sur kun
  por pri per ĝis sub inter sen post dum ĉe kaj aŭ sed ke se ĉar kiam kiel ol estas estis estos esti estu ne
  kio kiu kie kial ĉu kiuj ankaŭ nur jam nun tre pli ĉiuj ĉio
af: die n ek jy hy sy u ons julle hulle my jou hom haar hierdie daardie dit van in op aan met vir by uit na
  oor tot onder tussen deur sonder en of maar as dat omdat wat is was het sal kan moet wil word nie geen wie
  waar hoe ook net nog nou hier baie so meer te
ru: я ты он она оно мы вы они меня тебя его её нас вас их мне ему нам вам себя мой свой это этот эта эти
  этого этой то в во на с со из к у о об от до по за для без при под и или а но что если когда чтобы как
  быть был была были есть не нет кто где который также только уже ещё очень так же бы все всё всех сегодня
  своих
uk: я ти він вона воно ми ви вони мене тебе його її нас вас їх мені йому нам вам себе мій свій це цей ця ці
  цього той то в у на з із до від по за для без при під про і й та або чи а але що якщо коли бо щоб як бути
  був була були є не немає хто де який яка які також лише тільки вже ще дуже так всі все сьогодні
be: я ты ён яна яно мы вы яны мяне цябе яго яе нас вас іх мне яму нам вам сябе мой свой гэта гэты гэтая
  гэтыя гэтага той то у ў на з са да ад аб па за для без пры пад і або ці а але што калі бо каб як быць быў
  была былі ёсць не няма хто дзе які якая якія таксама толькі ужо яшчэ вельмі так усе ўсе ўсё сёння
bg: аз ти той тя то ние вие те ме го я ни ви ги му им се си мой свой този тази това тези в във на с със от
  до за по без при под през към и или но а че ако когато защото като е са съм сте беше бил има ще може да не
  няма какво кой къде как който която което които също само вече още много тук сега всички всичко днес
sr: ја ти он она ми ви они ме те га му ју их им се си мој свој његов тај то та ово овај ова тог у из с са на
  до од о по за без пред под између и или али а да ако кад када јер као него је су био била било бити ће сам
  смо сте има може није не што шта где како који која које само већ још све сви данас
mk: јас ти тој таа тоа ние вие тие ме го ја ве ги му им се си мој свој негов овој оваа ова овие во на со од
  до за по без при под меѓу кон и или но а дека ако кога бидејќи како што е сум сте сме беше бил има ќе може
  да не нема кој каде која кое кои исто само веќе уште многу тука сега сите денес
ar: أنا أنت هو هي نحن هم هذا هذه ذلك تلك التي الذي الذين في من إلى على عن مع بين بعد قبل عند منذ حتى تحت و
  أو ثم لكن إذا أن إن لأن كما ما حيث كان كانت يكون قد هناك ليس لا لم لن ماذا متى أين كيف هل كل بعض غير أي
  عليه به له فيه لك هنا الآن أيضا جميع اليوم
fa: من تو او ما شما آنها ایشان این آن در از به با برای تا بر بین پس پیش بدون روی و یا اما ولی اگر که چون
  زیرا است هست بود شد شده باشد هستند می دارد دارند کرد کند شود را نیست نه چه چرا کجا هم همه هر نیز فقط هنوز
  خیلی اینجا یک خود
ur: میں تم آپ وہ ہم میرا میری میرے کا کی کے کو نے سے پر تک یہ اس ان جو جس اور یا لیکن مگر اگر کہ کیونکہ تو
  پھر ہے ہیں تھا تھی تھے ہوں ہو گا گی گے رہا رہے رہی سکتا نہیں نہ کیا کون کہاں کیسے کیوں بھی ہی صرف بہت اب
  یہاں ساتھ لیے ایک آج
hi: मैं तू तुम आप वह वे हम यह ये मेरा मेरी मेरे अपने अपनी इस उस इन उन जो जिस का की के को ने से में पर तक और
  या लेकिन अगर यदि कि क्योंकि तो फिर है हैं था थी थे हूँ हो होता रहा रहे रही नहीं न क्या कौन कहाँ कैसे क्यों
  भी ही केवल बहुत अब यहाँ साथ लिए एक सभी आज
mr: मी तू तो ती ते आम्ही तुम्ही त्या आपण माझा माझी माझे त्याचा त्याची त्याचे आपल्या हा ही हे या आणि किंवा पण
  परंतु जर की कारण म्हणून तर आहे आहेत होता होती होते असे असेल असा नाही नको काय कोण कुठे कसे का मला तुला
  त्याला फक्त खूप आता येथे सुद्धा जे आज सर्व
ne: म तिमी तपाईं ऊ उनी हामी तिनीहरू यो त्यो यी ती मेरो तपाईंको उसको हाम्रो आफ्नो को ले लाई मा बाट सँग देखि
  सम्म र वा तर यदि कि किनभने भने पनि छ छन् हो हुन् थियो हुन्छ भयो छैन होइन के कसले कहाँ कसरी किन कहिले कुन
  मात्र धेरै अब यहाँ लागि पछि एक सबै आज
"""
LETTERS = {  # of alphabets; those of Latin ones beyond a to z
    "en": "çèéï",
    "de": "ßäéöü",
    "fr": "àâæçèéêëîïôùûüÿœ",
    "es": "áéíñóúü",
    "pt": "àáâãçéêíóôõúü",
    "it": "àèéìíîòóùú",
    "nl": "áèéêëíïóöúü",
    "ca": "àçèéíïòóúü",
    "gl": "áéíïñóúü",
    "ro": "âîăşţșț",
    "sq": "çë",
    "sv": "àäåéö",
    "da": "åæéöø",
    "nb": "åæéòóôø",
    "nn": "åæéòóôø",
    "is": "áæéíðóöúýþ",
    "fo": "áæíðóøúý",
    "fi": "äåöšž",
    "et": "äõöüšž",
    "pl": "óąćęłńśźż",
    "cs": "áéíóúýčďěňřšťůž",
    "sk": "áäéíóôúýčďĺľňŕšťž",
    "sl": "čšž",
    "sh": "ćčđšž",
    "hu": "áéíóöúüőű",
    "lt": "ąčėęįšūųž",
    "lv": "āčēģīķļņōšūž",
    "tr": "âçîöûüğış",
    "az": "çöüğışə",
    "id": "é",
    "ms": "é",
    "tl": "ñ",
    "sw": "",
    "vi": "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    "eu": "ñü",
    "ga": "áéíóú",
    "cy": "àáâäèéêëìíîïòóôöùúûŵŷẅ",
    "eo": "ĉĝĥĵŝŭ",
    "af": "áèéêëîïóôöúûüŉ",
    "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
    "uk": "абвгдежзийклмнопрстуфхцчшщьюяєіїґ",
    "be": "абвгдежзйклмнопрстуфхцчшыьэюяёіў",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюяѝ",
    "sr": "абвгдежзиклмнопрстуфхцчшђјљњћџ",
    "mk": "абвгдежзиклмнопрстуфхцчшѐѓѕјљњќѝџ",
    "ar": "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي",
    "fa": "ءآأؤئابةتثجحخدذرزسشصضطظعغفقكلمنهويپچژکگی",
    "ur": "ءآأؤئابةتثجحخدذرزسشصضطظعغفقلمنهوٹپچڈڑژکگںھہۂیےۓ",
}
UNUSED = {  # letters from a to z
    "is": "cqwz",
    "pl": "qvx",
    "cs": "qw",
    "sk": "qw",
    "sl": "qwxy",
    "sh": "qwxy",
    "lt": "qwx",
    "lv": "qwxy",
    "tr": "qwx",
    "az": "w",
    "sw": "qx",
    "vi": "fjwz",
    "ga": "jkqwxyz",
    "cy": "kqvxz",
    "eo": "qwxy",
}
