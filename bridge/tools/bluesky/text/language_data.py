"""List small frequent words (pronouns, articles, particles) and letters of languages, for language.py."""
# ruff: noqa: RUF001 - words of many alphabets

from __future__ import annotations

WORDS = """
en: a about after all also an and are as at be been but by can do for from get had has have he her him
  his how i if in into is it its just like me more my no not now of on one only or other our out she so
  some than that the their them there they this to up was we were what when which who will with would
  you your
de: aber alle als am an auch auf aus bei bis da dann das dass dem den der des die diese doch du durch
  ein eine einem einen einer er es für habe haben hat hier ich ihr im immer in ist ja jetzt kann keine
  mal man mehr mich mir mit nach nicht noch nur oder schon sehr sein sich sie sind so um und von vor war
  was wenn werden wie wieder wir wird wurde zu zum zur über
fr: a ai après au aussi aux avec bien c ce ces cette comme d dans de des deux du elle en est et faire
  fait il ils j je l la le les leur lui m mais me moi mon même n ne nous on ont ou par pas peut plus
  pour qu quand que qui s sa sans se ses si son sont suis sur t tous tout très tu un une vous y à ça
  était été être
es: a ahora al algo así bien como cuando de del desde donde dos el en entre era es eso esta este esto
  está fue ha hace hacer hasta hay la las le lo los me mi mucho muy más nada ni no nos o para pero por
  porque puede que qué se ser si sin sobre solo son su sus también tan te tiene todo todos tu un una uno
  vez y ya yo
pt: a agora ainda ao aqui as assim até bem com como da das de depois do dos e ela ele em entre era este
  está eu fazer foi isso já mais mas me mesmo meu minha muito na nas no nos não o onde os ou para pela
  pelo pode por quando que quem se sem ser seu seus sobre sua são só também te tem ter todos tudo um uma
  vai você vou à é
it: a ad ai al alla alle anche c che ci come cosa così cui d da dal dalla degli dei del della delle di
  dopo due e ed era essere fare gli ha hanno ho i il in io l la le lo loro ma mi ne nel nella non o per
  perché più prima quando questa questo se si sia solo sono su sua sul suo ti tra tutti tutto un una uno
  è
nl: aan al alleen als andere ben bij dan dat de deze die dit doen door dus een en er gaan gaat geen goed
  haar heb hebben heeft het hier hij hoe ik in is je kan kunnen maar maken me meer mensen met mijn moet
  na naar niet nog nu of om ons onze ook op over te tegen tot u uit van veel voor waar was wat we wel
  werd wil worden wordt ze zich zijn zo zou
ca: a això al als altres amb aquest aquesta ara cap com d de del dels des després el els en encara ens
  entre era es estat està fa fer fet fins ha han hi ho i ja l la les m molt més no només o on part pel
  per perquè però pot quan que què s se sense ser seu seus seva si sobre són també tot tots té un una va
  van és
gl: a como da de do e en eu foi isto moi máis na no non o os para pero por que se un unha é
ro: a acest ai al ale am ar are au așa ca care ce cel cele chiar cu cum când că dacă dar de despre din
  dintre doar după e ei el era este face fi fie foarte fost i iar in l la le lui mai mare mult n ne noi
  nu o pe pentru poate pot prin până s sa sau se si sunt să te toate tot trebuie un va vor vă în într și
sq: dhe e i ishte jam ka kjo me më nga një nuk në por për që shumë si të unë është
sv: alla allt att av bara blir de den det detta dig du där då efter eller en ett finns från få får för
  går gör göra ha hade han har hon hur här i in inte jag ju kan lite man med men mer mig min mycket
  måste ni nu när någon och också om på se sig ska skulle som så ta till under upp ut vad var vara vet
  vi vill än är även över
da: af alle at bare blev bliver da de dem den der deres det dig din du efter eller en end er et for fra
  få får han har havde have helt her hun hvad hvis hvor i ikke jeg jo kan kun kunne lidt lige man mange
  med meget men mere mig min noget nu når og også om op over på se selv sig skal som så til to ud var
  ved vi vil vores være
nb: alle andre at av bare ble bli blir da de deg den denne der det dette du eller en enn er et etter for
  fra få får gjør gjøre ha hadde han har her hun hva hvor i igjen ikke inn jeg kan litt man med meg men
  mer mot mye må noe noen nå når og også om opp over på se seg selv skal som så til ut var ved vi vil
  være vært å
nn: av berre dei det dette eg ei ein eit er etter for frå hadde han har i ikkje kan korleis kva me med
  men noko nokon og om på seg skal so som til var vart verte vil å
is: af allt að bara ef eftir einnig eins ekki en er eru eða fara fram frá fyrir fá gera getur hafa hafi
  hann hans hefur hjá hvað hér hún inn koma með mjög mér nú of og okkar okkur saman sem sig svo sé sér
  síðan til um undir upp var vegna vel vera verið við voru væri yfir á ár ég í úr út þar þau það þegar
  þeim þeir þeirra þess þetta því þá þó þú
fo: at av eg ein ella er frá fyri hann hava ikki ið men og skal sum tað teir til verður vit við á í
fi: aina ehkä ei eikä eivät eli en ennen et että hyvin hän hänen ihan itse ja jo joka jos jossa jotka
  jälkeen kaikki kanssa koko koska kuin kuitenkin kun kyllä mikä miten mitä mitään mukaan mutta myös ne
  niin noin nyt näin ole olen oli olisi olla ollut on onko ovat paljon pitää saa se sekä sen siis siitä
  sillä sitten sitä tai tehdä tulee tuo tämä tämän tässä vaan vaikka vain vielä voi vähän
et: aga ei et ja ka kui ma mis ning nüüd ole olen oli oma on sa seda see siis ta või
pl: a ale bardzo bez bo by być był było będzie ci co coś czy dla do gdy gdzie go i ich ja jak jako
  jednak jego jej jest jestem jeszcze jeśli już kiedy które który lub ma mam mi mnie może można na nawet
  nic nie no o od oraz po pod przez przy się sobie są tak tam te tego tej ten teraz też to tylko tym w
  wiem więc wszystko z za ze że żeby
cs: a aby ale až bude by bych byl byla bylo být co další do ho i jak jako je jeho jen ještě jsem jsme
  jsou já k kde když která které který mezi mi má mám mě na ne nebo není než nic nás něco o od pak po
  podle pokud pro protože před při s se si tak také tam ten teď to toho tom tu ty tím u už v ve z za ze
  že
sk: a aby aj ak ako ale alebo až bol bola boli bolo bude by byť do ešte ho i ich je jeho jej k kde keď
  ktorá ktoré ktorý len medzi mi má môže na nie no nás o od po pod podľa potom pre pred pri s sa si sme
  so som ste sú tak tiež to toho tom tu tým už v veľmi viac vo vám vás však z za zo či čo že
sl: a ali bi bil bila bilo bo bodo boste brez da do ga ima in iz je jih jo k kaj kako kar ker ki kjer ko
  kot lahko le med mi na naj nas ne nekaj ni o ob od pa po prav pred pri s saj samo se sem si smo so sta
  ta tako te tega tem ter to tudi v vam vedno veliko več vse z za zaradi zato zelo če še že
sh: a ako ali bez bi bila bilo bio biti da do dok ga gde i ih ili ima iz ja je jedan jer još kada kako
  kao kod koja koje koji li mi mogu može mu na nakon ne nego ni nije o od oko on oni ovaj ovo pa po pod
  prema s sa sad sada sam samo se smo su sve tako te to toga treba u više za zbog će šta što
hu: a aki akkor ami amikor amit az azt azért be csak de e egy egyik el es ez ezt fel ha hogy i igen
  ilyen is itt jól kell ki két között le lehet lesz lett majd meg mert mi milyen minden mindig mint mit
  miért most már még nagyon ne nekem nem nincs olyan pedig s sem sok szerint te tudom több után vagy
  vagyok van volna volt én és így úgy
lt: a ant apie ar arba aš be bei bet bus buvo būti būtų d dabar dar daugiau dėl gali iki ir iš jau jei
  ji jie jis jo jos jūsų jų kad kai kaip kas kur kuris ką labai m man mano mes mūsų ne nei nes net nors
  nuo nėra o pagal pat per po prie prieš reikia savo su tai taip tačiau tiek tik to turi už vienas vis
  visi yra čia į
lv: ar arī bet bez bija būs būt būtu cik daudz es esmu gan ir ja jau jo jums jūs ka kad kas kaut ko kur
  kā kāds lai līdz man mani mums mēs mūsu nav ne no nu pa par pat pie pēc savu tad tagad tam tas taču
  tev tiek tik tikai to tu tur tā tās un uz vai vairāk var varētu visi viss visu viņa viņu viņš vēl ļoti
  šo
tr: a ama artık aynı bana ben beni benim bile bir birlikte biz bu böyle d da daha de devam değil diye
  diğer doğru en fazla gibi göre her hiç iki ile ise iyi için içinde kadar kendi ki mi mı nasıl ne neden
  o olan olarak oldu olduğu olduğunu olmak olur sadece sana sen seni son sonra tarafından tek tüm var ve
  veya ya yok çok önce şey şu
az: amma bir biz bu da daha deyil də hər ilə ki kimi mən nə o olan olaraq onun siz sonra var və yox çox
  üçün əgər
id: ada adalah akan aku anda apa atau bahwa banyak baru beberapa bisa bukan dalam dan dapat dari dengan
  di hal hanya harus ia ingin ini itu jadi jangan jika juga kalau kami kamu karena ke kita lagi lain
  lebih masih mau memiliki menjadi mereka oleh pada pernah saat saja salah sama sangat satu saya sebagai
  sebuah sekarang semua sendiri seorang seperti setelah sudah tak tapi telah tersebut tidak untuk ya
  yang
ms: ada adalah akan aku anda apa atau awak bagi baru boleh buat bukan dah dalam dan dari daripada dengan
  di ia ialah ini itu jadi jangan juga kalau kan kata kau ke kepada kerana kita lagi lain lebih lihat
  macam mana masuk menjadi mereka nak ni pada pun sama satu saya semua seorang seperti tahu tak tapi
  telah tiada tidak tu untuk yang
tl: ako alam ang ano at ay ba bilang dahil dapat di din dito hindi i iba ibang ilang isa isang ito ka
  kahit kanilang kanyang kapag kasi kay kaya ko kong kung lahat lamang lang maaaring mag mas may mga mo
  mula na nag naman nang nasa natin ng nga ngayon ngunit ni nila nito niya noong o pa pag pamamagitan
  pang para pero po rin sa saan si sila siya upang wala walang yung
sw: hii hiyo kama katika kuwa kwa la lakini leo mimi na ni sana si wa watu ya yangu za
vi: bạn bị cho chính chúng chỉ các còn có cũng cả của hơn khi không là làm lại mà mình một như nhưng
  nhất những này nên phải ra rất sau sẽ số sử sự theo thành thì thể thực trong trên tôi tại từ việc và
  vào về với đi điều đây đã đó được đầu đến để động ở
eu: baina bat da dago den dira dut egin ere eta ez gaur hau hori izan nire nola oso zen
ga: ach ag agus an ar bhí do gach go is le leis mé na ní seo sin sé sí tá
cy: a ar bod ddim dw fod gan gyda hefyd hyn i mae o oedd ond roedd wedi y yn yr
eo: al de en estas kaj ke kun la li mi mia ne por pri sed tio tre vi ĉi ĝi
af: aan al as baie by daar dat deur die dit een ek en gaan haar het hom hulle hy iets in is jou jy kan
  maar met moet my n na net nie nog of om ons ook oor op sal so sy sê te toe uit van vir was wat wees
  word
ru: а более больше будет бы был была были было быть в вас во вот все вы где да даже для до его ее если
  есть еще же за и из или их к как когда кто меня мне может можно мы на не нет но ну о он она они от
  очень по под после при просто с сейчас со так также то того только том ты у уже чем что чтобы это
  этого этом я
uk: а або але б без був буде було бути в вже ви вона вони все всі від він де для до дуже ж з за й його
  коли мене мені ми може можна на нас не ну ні по при про просто під після с та так також там те ти то
  того тому тут тільки у хто це цього через чи ще що щоб я як який якщо які є і із їх її
be: але быў вельмі вы гэта для жа з калі мы мяне на не па так ты у што я як ён і ў ўсё
bg: а аз ако без беше бъде в вече ви всички във ги го да до е един една за защото и или им има как какво
  като когато което които който която към ли малко ме ми много може му на най не нещо ни но няма от още
  по повече преди през при с са само се сега си след съм със тази така те тези ти това този той трябва
  тя че ще я
sr: а ако али без би била било био бити више га где да до док за због и из или има их када како као код
  која које који ли ми могу може му на након не него ни није о овај ово од око он они па по под према с
  са сад сада сам само све се смо су тако те то тога треба у шта што ја је један јер још ће
mk: а ако без беше би биде ви во ги го да дали дека дел до додека е еден една за и или им има исто каде
  како кај кога кои кон кој која луѓе македонија ме ми многу може му на не некој нема ни ние но ова оваа
  овој од па по повеќе поради пред работи само се сега си сите со сум таа така те ти тие тоа тој треба
  уште што ја јас ќе
ar: أحد أكثر أن أنت أنه أو أي أيضا إذا إلا إلى إن التي الذي الذين العالم الله الناس الى اليوم ان بعد بعض
  بن به بين تم ثم حتى حيث خلال ذلك شيء عام على علي عليه عن عندما غير فقط فى في فيه فيها قال قبل قد كان
  كانت كل كما لا لك لكن لم له لي ما مثل محمد مع من منذ هذا هذه هناك هو هي و وفي وقد ولا ولكن ومن وهو يا
  يكون يمكن يوم
fa: آن از است استفاده الان اما انجام او اون اگر اگه ای ایران این با بازی باشه باید بر برای بعد به بود تا
  تهران تو خوب خود خیلی دارد دارم داره داشته در دست دو را راه رو روز روی سال شد شده شما فقط فیلم قرار كه
  ما من مورد می نام نه نیز نیست ها های هر هست هم همه و پس چرا چه کار کرد کردن کرده کشور کنم کنید که گفت
  یا یه یک یکی
ur: آپ اب اس اللہ ان اور اپنی اپنے اگر ایک بات بعد بھی بہت تو تک تھا تھی تھے جائے جب جس جو حکومت دو دیا
  رہا رہے زیادہ ساتھ سب سے طور لئے لیکن لیے ملک میں نہ نہیں نے و والے وقت وہ پاکستان پر پھر پہلے کا کر
  کرتے کرنے کسی کو کوئی کچھ کہ کی کیا کے گئی گئے گا گی گیا گے ہر ہم ہو ہوئے ہوا ہوتا ہونے ہوں ہی ہیں ہے
  یا یہ
hi: अपनी अपने अब आज आप इस एक और कर करते करने कहा का काम कि किया किसी की कुछ के को कोई क्या गए गया जब जा
  जाता जी जो तक तो था थी थे दिन दिया देश दो न नही नहीं नाम ने पर पहले फिर बहुत बात बाद भारत भी में मैं
  यह या ये रहा रही रहे लिए लेकिन लोग वह वाले वो सकता समय सरकार साथ से हम हर ही हुआ हुए है हैं हो होता
mr: आज आणि आहे आहेत एक काय की च्या तर ते त्या नाही पण मला मी या हे होता
ne: एक को गर्न छ छन् छैन त्यो थियो धेरै पनि भएको म मा यो र लाई हरू हो
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
