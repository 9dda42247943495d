"""List frequent words (the most frequent first) and letters of languages, for language.py."""
# ruff: noqa: RUF001 - words of many alphabets

from __future__ import annotations

WORDS = """
en: the to and of a in i is for that you it on with this was be as are have at he not by but from my or
  we an your all so his they me if one can will just like about up out what has when more do no were
  who had their there her which time get been would she new people how some also them now other its
  our than good only after first him into
de: die der und in das ich ist nicht zu den von mit es ein auf für im sie eine sich auch dem des als er
  an dass so bei wie aber aus hat sind nach noch wir du war nur wenn oder wird was werden einen am man
  um haben einer zum kann über da dann einem schon habe ja mehr mir sein vor mal zur durch hier mich
  bis doch ihr immer jetzt diese wurde wieder keine alle sehr
fr: de la le et l à les est en des d un que a pas une du il pour dans je qui c au ce sur qu par on ne
  plus avec j n mais se vous s ça tu elle son y ai ou si sont tout fait nous comme être bien ils cette
  faire sa aux même me ont t m était été mon ses lui aussi peut deux leur moi ces quand après suis
  très tous sans
es: de la que el en y a los no un se por es del las con una para lo su al como me más si pero te o mi le
  este sus esta todo ya ha cuando yo ser son sin hay está fue tu muy sobre también todos eso tiene nos
  porque qué así años dos bien entre puede desde hasta hacer ahora era esto vez hace nada ni donde
  parte solo algo tiempo día uno mejor mucho tan
pt: de a o que e do em da é para não um uma com no se na por os eu como as mais dos mas foi ao me você
  ser seu sua tem são das ou à ele muito isso já nos também quando está meu pelo ela vai só dia pela
  sobre bem até mesmo pode pessoas te ter tudo ainda aqui fazer minha anos todos quem sem agora entre
  era seus nas assim depois este onde vou brasil
it: di e che il la a in non un per è del l i una le si con della da sono ma al ha come più dei se nel mi
  alla anche lo gli delle o questo ho ci su ad dal solo essere io nella ti cui d era stato quando
  tutti ed questa c tutto cosa hanno tra fatto prima suo loro parte perché anni due sia sua ai fare
  così dalla degli dopo sul alle uno ne
nl: de van het een en in is op ik dat voor je te met niet zijn die als er maar om aan hij ook ze door
  naar uit bij dan dit was we wat heeft of over nog deze hebben kan meer zo al geen mijn wel tot u
  wordt heb worden nu haar ben kunnen veel jaar me moet hoe mensen na ons waar werd goed gaan gaat
  onze wil zich zou doen andere hier dus tegen maken alleen
ca: de la a i que el l d en per del un les els una no amb va és al es ha com més dels s hi o ser aquest
  si però tot fer seu aquesta molt als ja ho van seva també ens han són se cap anys això estat sobre
  quan ara entre fa fins on què era pel perquè tots des després està dia fet altres gran m només
  persones sense pot té any encara part seus
gl: o a os e é non un unha que de en por con para se do da eu moi máis no na pero como isto foi
ro: de în și a la să din o pe cu nu mai un este că care pentru se au ce fost ca al am sunt fi si va s
  lui dar sau e sa dacă după i ne ar le poate prin cum când ale in despre era iar mult are l ai cel
  mare trebuie ani cele doar foarte noi el fie ei n dintre te timp tot până face într pot chiar
  românia vă toate vor așa acest
sq: dhe është nuk një në me të për që nga por si ka jam kjo unë më shumë ishte i e
sv: är det att och i jag på en inte som för med har av om du så till den de ett kan vi men man var ska
  när nu vad från här mig bara eller han då hur kommer alla vill sig vara där får bra finns ha skulle
  ut min dig hade ju lite mycket upp in gör få blir mer än år efter göra över detta ni ta också allt
  hon måste se går även under någon vet
da: i og er af det at en til på jeg har for ikke med den der de du kan som så et var vi om han fra men
  skal ved vil også være hvor nu man hvis sig efter mig eller her hvad ud alle godt meget noget da dig
  kunne lige min når op blev bliver havde mere over hun se år bare få have dem to lidt selv din mange
  vores får kun deres helt end jo kommer
nb: i og er det å på som til en av for ikke med har jeg at de du om den så vi fra var kan et men han seg
  dette noe skal noen ble vil bare også ut da nå hva etter eller meg være blir hadde alle når her må
  ha deg få man mer opp andre gjør over litt ved vært bli får inn denne enn år gjøre hun mye der hvor
  norge se igjen kommer mot selv
nn: og i er det som til ikkje eg dei av for på med han var å ein eit ei dette frå har hadde vart verte
  so korleis kva me kan om men seg etter skal vil noko berre nokon
is: og í á að er sem til en við af hann um ekki var fyrir með ég eru frá það þar því eða eftir hún svo
  hefur vera þá verið þegar hafa þess úr út upp ef eins nú sé þú fram sér hér þeir þetta voru yfir
  allt hjá mér þeirra einnig vel gera hans þeim getur okkur þó sig þau koma okkar inn hvað vegna hafi
  undir bara fara mjög væri árið saman fá ár of síðan íslands
fo: og at ið er í av til ein hann tað ikki sum við á fyri eg vit hava ella skal teir frá men verður
fi: ja on ei että se oli mutta ole kun niin myös hän jos ovat voi nyt sen kuin tai en joka olla sitä
  mitä vain jo kanssa tämä sitten kaikki olisi ollut vielä kyllä siitä ne suomen hyvä sekä jälkeen
  miten mukaan paljon saa olen pitää ihan mitään tulee hyvin tässä hänen vaan koska aina eivät koko
  kuitenkin vaikka mikä vuoden ennen jotka aika eli jossa et näin tämän noin vuonna eikä siis sillä
  ehkä itse onko tehdä tuo vähän
et: ja on ei see et ma ole aga siis ta oli kui mis ka nüüd seda olen ning või sa oma
pl: w i nie na się to z do jest że o jak a ale co tak za od po dla tym czy przez tego są ma tylko już mi
  mnie ze może bo ja ten oraz bardzo będzie być jego by sobie ich mam jeśli roku też jeszcze był które
  jako jestem było jej kiedy który nawet teraz go no pod coś ci lat tam te więc gdy gdzie tej bez żeby
  jednak lub wiem nic wszystko można przy ludzie
cs: a se v na je to že s z si do jsem ale o i tak pro ve za co k jako jak po by už od jsou mi když mě
  jen nebo byl bude já u má jsme které ty jeho který až není bylo aby než ze ještě byla být také ani
  pak při tam toho ten kde mám která ho ne před bych protože první tu podle pokud tom něco tím další
  teď nic let mezi nás
sk: a v sa na je to z že s ako aj o si do som ale po za tak od čo už bol by pre sú ak k alebo nie sme
  ich len vo aby keď ktorý ktoré pri má jeho bola bude ktorá až veľmi bolo byť vám jej so roku ho ešte
  i zo podľa mi však ani ste tu viac kde boli pred medzi môže nás vás no tiež tým pozri toho tom či
  pod počas potom
sl: je in v na se da so za ki pa z tudi lahko s ne kot po še iz bi bo od tako to pri ali o če že bil do
  ni med vse jih ko kar ga si smo bila leta več sem tem ter nekaj saj ta tega zelo jo zaradi bilo ob a
  bodo ker kjer sta zato vedno le ima pred veliko prav kaj samo naj vam kako nas mi te brez k let
  boste nam
sh: je u i da se na od za su a ne sa iz to kao o što godine koji kako bi ali nije još po s do sve bio
  ili sam će koja samo te biti više koje kada ako tako bilo sad smo mi može ima on ga jer pa ni zbog
  prema godina bila kod jedan nakon treba bez li mogu ih oko šta dok ja ljudi oni rekao ovo dana toga
  gde mu ovaj pod sada nego
hu: a az és nem hogy egy is de meg csak ha van volt ez vagy már még én kell el jó ki azt most akkor mint
  ezt minden mert magyar nagyon így olyan itt mi sem lesz lehet vagyok majd es nagy úgy be nincs aki
  két fel után ne új amikor ami első te több pedig mindig nekem amit szerint kis mit s egyik ilyen le
  sok e jól i miért volna azért tudom budapest milyen igen között lett
lt: ir kad į su iš yra tai kaip ar o buvo savo tik bet nuo ne apie taip m lietuvos kai labai dėl per dar
  gali jau po iki jis bei jei už jo pat to būti kas mūsų turi prie bus metų nes jos d jie tačiau arba
  daug jų metu daugiau nors čia ant nėra ji jūsų prieš reikia kur aš ką pagal tiek be mes net a nei
  vienas būtų lietuvoje vis dabar mano kuris man visi
lv: un ir ar par ka no kā uz kas arī vai bet es tā nav to tas man ja lai bija ko pēc tikai tad līdz kad
  var jau pie tu latvijas vēl būs jo ļoti gan ne savu tev viņš gada tik nu šo mēs kur visu tās esmu
  kaut mums tagad viņa mūsu viss daudz laikā būtu valsts pa jūs tiek pat vairāk jums labi būt cik kāds
  tam viņu mani tur latvijā taču varētu bez rīgas visi
tr: ve bir bu için de da çok ile ne daha en gibi olarak her kadar o olan ben var ama sonra ki iyi yok ya
  değil sen büyük yeni güzel sadece zaman ilk iki mi hiç ise oldu bile nasıl şey benim böyle son tek
  gün tüm yer önce artık göre mı seni beni türkiye aynı bana tarafından türk doğru veya biz olduğunu
  diye kendi olduğu olur d şu birlikte devam diğer sana fazla neden a önemli yıl içinde olmak
az: və bir bu ki də da ilə üçün o nə mən daha var deyil çox kimi olan hər amma olaraq sonra yox siz biz
  onun əgər hüququ malik
id: yang dan di ini dari untuk dengan itu bisa aku ada tidak akan adalah dalam pada kita orang ke juga
  anda dia saya ya kamu lebih apa sudah mereka tapi karena atau menjadi tak baik jadi harus satu lagi
  seperti oleh banyak jika hanya kami saat tahun jangan sebagai hari telah semua dapat hal anak bahwa
  bukan indonesia saja sangat masih memiliki pernah mau lain sekarang baru sama seorang tersebut kalau
  beberapa besar salah sendiri ingin sebuah ia setelah waktu
ms: yang dan di tak boleh dengan untuk saya ini awak dalam dari orang aku tapi kau kita nak adalah ke
  semua ada pada apa lagi buat dah bukan jadi mana itu dia tidak anda kepada daripada ialah ia telah
  baik lebih mereka sekolah satu jangan tahu hari juga rasa kalau ni atau bagi anak lain tu cakap
  seorang seperti akan keluar menjadi malaysia selamat macam sama kawan tempat baru lihat lelaki tiada
  pun malam masuk tahun kerana kata kan suka
tl: sa ng ang na mga at ay isang hindi ito ko kung may ni si ako pa para mula siya mo o pag kanyang lang
  naman niya lahat ano rin ka dahil din upang kaya nito tao nila walang sila mas pero po nang araw isa
  ba bilang kay ngayon mag nga kanilang pang buhay wala di dapat iba maaaring kahit kapag saan yung
  dito ibang nag pamamagitan noong natin kasi ilang lamang ngunit taon taong alam kong nasa i
sw: na ya wa ni kwa katika hii la si za kuwa mimi sana lakini hiyo kama leo yangu watu
vi: là và có của được một các không trong cho người này với ở đã thể để như những đến khi làm sẽ từ ra
  công họ tại về vào đó cũng thành lại đầu chỉ năm sự tôi bị học phải chính ngày số ông động mà nhà
  thì trên việc sau nam điều còn chúng gia mình thế nhưng rất đi bộ nhân thực bạn hiện theo thời anh
  con hơn nước nhất sinh đây nên sử cả
eu: eta da ez bat ere dut hau zen izan baina dira oso gaur nire egin den dago hori nola
ga: agus tá an na ní sé is ar go do le bhí mé sin ag leis ach seo gach sí
cy: y yr a mae yn i ar o gyda ddim hyn wedi oedd fod dw roedd gan ond hefyd bod
eo: la kaj estas ne mi en de al por kun ke tio sed ĉi pri li ĝi tre mia vi
af: die van en in is het dit nie te vir met wat as ek op sy n om jy hy my ons so daar maar word aan was
  by ook hulle kan na dat sal jou of al wees gaan haar uit baie toe nog net hom sê een iets oor moet
  deur
ru: в и на не с что я по а как из это за для о к но то у его он от все так же мы до ты только был если
  когда было мне меня уже еще бы или их они при будет время кто года чтобы есть она во вы может после
  нет очень были со была также вот ее чем быть где под этом вас россии да даже можно того просто этого
  больше сейчас том более г ну
uk: в на не і у з що та до це за а я як про для від так україни але він його все то є ви по ми й ще які
  під вже коли якщо або року було вони із мене щоб мені ж тут чи час який просто ти був с буде нас ну
  тому її також дуже може після через їх хто де там тільки б можна вона всі ні років те того україні
  цього бути при без
be: і ў не на я што ён з як гэта але так жа па мы ты вы ўсё у мяне быў для калі вельмі
bg: на и в да е от за се с не си че по ще са това като а ми но до го много най има му ако към може съм
  ти ли само няма след през аз които г при ви или как какво той ни трябва всички който във което те
  един още така със време когато този я българия тази ги вече която години една малко нещо преди ме
  повече сега без беше защото им тези тя бъде
sr: је у и да се на од за су а не са из то као о што године који како би али није још по с до све био
  или сам ће која само те бити више које када ако тако било сад смо ми може има он га јер па ни због
  према година била код један након треба без ли могу их око шта док ја људи они рекао ово дана тога
  где му овај под сада него
mk: на и во да се од за е со не го ќе што дека ги како ја тоа а кој кои си по ми до ти многу но или само
  има кога беше сите тој ако така може која ова јас година еден нема сум биде му треба време
  македонија повеќе уште пред им тие ме па една сега каде луѓе овој ни години дали оваа таа те дел без
  би ви исто кај додека некој ние работи кон поради
ar: في من على أن لا إلى و ما عن هذا مع التي كل هذه أو هو كان الذي ذلك بعد الله لم بين ان كانت يا حتى قبل
  قد هي إن كما أي أيضا حيث أنه اليوم خلال عليه غير وهو بعض تم علي إذا فى له مثل محمد هناك يوم لك أكثر
  عام لي ولا ثم بن يمكن الناس به ولكن أنت الى شيء لكن وفي قال ومن فيه فيها منذ إلا الذين العالم يكون
  أحد عندما فقط وقد
fa: و به در از که این با را است رو من تو برای بود هم تا یک ها ایران شده ما آن شد می یا بر شما همه سال
  کرد خود هر یه چه های نه کار باید دو پس اما اون ای فقط دست یکی داره کرده دارد چرا کردن اگه روز فیلم
  قرار نام کنم استفاده بعد او مورد دارم کشور الان اگر باشه خیلی هست بازی نیست انجام داشته تهران خوب كه
  کنید گفت راه روی نیز
ur: کے میں کی ہے اور سے کا کو اس پر ہیں نے بھی ایک کر یہ نہیں کہ تو کیا وہ ہو ان تھا جو ہی و جس نہ
  پاکستان گیا آپ لیے اللہ تھے بعد کوئی اپنے گا ہم کسی تھی کرنے یا ساتھ جب رہے تک گے دیا والے بات ہوئے
  اگر ہونے جائے ہوں اپنی ہوا کرتے بہت سب کچھ اب ملک پھر گئے حکومت رہا لیکن ہر زیادہ طور لئے گئی گی وقت
  ہوتا دو پہلے
hi: के है में की से और को का हैं पर भी एक तो नहीं ने कर ही हो लिए कि इस था यह गया किया जो ये आप करने रहे
  साथ अपने रहा क्या अब कुछ कोई थे दिया तक थी भारत बाद वो हम या न किसी वह बात आज करते रही जब जी बहुत
  लेकिन होता अपनी मैं वाले सरकार हुआ हुए फिर जा नाम जाता दिन देश नही लोग हर दो पहले कहा गए समय काम
  सकता
mr: आहे आणि मी या ते नाही हे तर पण मला होता आहेत की एक च्या त्या काय आज
ne: छ र को मा हो यो पनि छैन म लाई गर्न भएको थियो छन् एक हरू त्यो धेरै
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
