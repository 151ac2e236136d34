"""Names that show that somebody is meant: who works for one of them keeps the employer."""

from __future__ import annotations

__all__ = ["GIVEN_NAMES", "PERSONS"]

# Given names of many languages, one a "/". Those that are as well known as a firm's are left out.
_NAMES = """
aaron/abdul/abdullah/abigail/abraham/achim/ada/adam/adele/adrian/agnes/agnieszka/
ahmed/ahmet/aisha/akira/alan/albert/alejandro/alessandro/alex/alexander/alexandra/
alexei/alfred/ali/alice/alicia/alina/alison/amanda/amelia/amina/amir/amy/ana/
anastasia/andre/andrea/andreas/andrew/andrzej/angela/angelika/anita/anja/anke/ann/
anna/anne/annette/annika/anthony/antje/antoine/anton/antonio/arjun/armin/arthur/asha/
astrid/ayse/barbara/bart/bastian/beate/beatrice/ben/benedikt/benjamin/bernadette/
bernd/bernhard/betty/bianca/bill/birgit/birte/bjorn/bob/bogdan/brenda/brian/brigitte/
bruno/camille/carina/carl/carla/carlos/carmen/carol/carolin/caroline/carsten/cecilia/
chen/chiara/chloe/chris/christa/christian/christiane/christina/christine/christoph/
christopher/cindy/clara/claudia/clemens/colin/cornelia/craig/cristina/dagmar/dan/
daniel/daniela/danielle/dario/darius/dave/david/deborah/deepak/denise/dennis/derek/
detlef/diana/diego/dieter/dietmar/dirk/dmitri/dominik/donald/donna/doris/dorothea/
doug/eberhard/edith/eduardo/edward/elena/elias/elif/elisa/elisabeth/elizabeth/elke/
ella/ellen/elsa/emil/emily/emma/emre/enrico/eric/erik/erika/ernesto/esther/ethan/
eugen/eva/evelyn/fabian/fatima/fatma/felipe/felix/fernando/finn/fiona/florian/
francesca/francesco/franco/frank/franz/franziska/frauke/fred/frederik/friedrich/fritz/
gabriel/gabriele/gabriella/gareth/gary/georg/george/gerald/gerd/gerhard/gertrud/
gianni/gina/giovanni/gisela/giulia/giuseppe/gottfried/grace/graham/greg/gregor/greta/
grzegorz/guido/gunnar/gustav/hamza/hanna/hannah/hannes/hans/harald/harry/hassan/
hector/heidi/heike/heiko/heiner/heinrich/heinz/helen/helena/helga/helmut/hendrik/
henrik/henry/herbert/hermann/hilde/hiroshi/holger/horst/howard/hugo/hussein/ian/
ibrahim/igor/ilse/imran/ines/inga/inge/ingo/ingrid/irene/irina/isaac/isabel/
isabella/ivan/jack/jackie/jacob/jacques/jakob/jakub/james/jamie/jan/jana/jane/janet/
janine/jason/javier/jay/jean/jeanette/jeff/jenna/jennifer/jenny/jens/jeremy/jerry/
jesse/jessica/jill/jim/jimmy/joachim/joan/joanna/joao/jochen/joe/joel/johan/johanna/
johannes/john/jonas/jonathan/jorge/jose/josef/joseph/josh/joshua/juan/juanita/judith/
judy/julia/julian/juliane/julie/juliette/julius/jun/jürgen/jutta/kai/karen/karin/
karina/karl/karsten/katarina/kate/katharina/katherine/kathrin/kathy/katie/katja/
katrin/kavita/keith/kelly/ken/kenji/kerstin/kevin/khalid/kirsten/klaus/konrad/
konstantin/krzysztof/kurt/kyle/lara/larry/lars/laszlo/laura/lauren/laurent/lea/lee/
leila/lena/leo/leon/leonardo/leonie/leroy/li/liam/lilly/lina/linda/lisa/liu/
lorenzo/lothar/louis/louise/luca/lucas/lucia/lucy/ludwig/luis/luisa/lukas/lutz/lynn/
maja/malte/manfred/manuel/manuela/marc/marcel/marcin/marco/marcus/margaret/margarete/
margit/maria/mariam/marianne/marie/marina/mario/marion/mark/marko/markus/marlene/
marta/martha/martin/martina/mary/mateo/mathias/matt/matteo/matthew/matthias/max/
maximilian/maya/mehmet/mei/melanie/melissa/mia/michael/michaela/michal/michelle/
miguel/mike/milan/milena/ming/miriam/mirko/mohamed/mohammad/mohammed/mona/monica/
monika/moritz/muhammad/mustafa/nadia/nadine/nancy/naomi/natalia/natalie/natasha/
nathan/neil/nele/ngozi/nicholas/nick/nicola/nicolas/nicole/niels/nikita/niklas/
nikolai/nils/nina/noah/noor/nora/norbert/olaf/oleg/olga/oliver/olivia/omar/oscar/
oskar/pablo/pamela/paola/pascal/patricia/patrick/paul/paula/pavel/pedro/peggy/peter/
petra/phil/philip/philipp/pierre/pietro/piotr/priya/rachel/rafael/rahul/rainer/raj/
rajesh/ralf/ralph/ramona/randy/raphael/rashid/raul/ravi/rebecca/regina/reinhard/
renate/rene/ricardo/richard/rick/rita/rob/robert/roberta/roberto/robin/rodrigo/roger/
roland/rolf/roman/ron/ronald/rosa/rosemary/ross/roy/rudolf/russell/ruth/ryan/sabine/
sally/salma/sam/samantha/samir/samuel/sandra/sanjay/santiago/sara/sarah/sascha/scott/
sean/sebastian/sergei/sergio/shannon/sharon/sheila/silke/silvia/simon/simone/sofia/
sonia/sonja/sophia/sophie/stefan/stefanie/steffen/stella/stephan/stephanie/stephen/
steve/steven/stuart/sue/sunita/susan/susanne/suzanne/svenja/sven/svetlana/sylvia/
tamara/tania/tanja/tara/ted/teresa/terry/thea/theo/theresa/thiago/thomas/thorsten/
tim/timo/tina/tobias/todd/tom/tomas/tomasz/toni/tony/torsten/tracy/ulrich/ulrike/
ursula/usha/uta/ute/uwe/valentina/valeria/vanessa/vera/verena/veronica/veronika/
vijay/viktor/vincent/viola/vladimir/volker/walter/wanda/wei/wendy/werner/wiebke/
wilfried/wilhelm/will/william/wolfgang/xavier/yasmin/yuki/yusuf/yvonne/zoe/zofia
"""
GIVEN_NAMES = frozenset(name for name in _NAMES.replace("\n", "").split("/") if name)
_ANY = "|".join(sorted(GIVEN_NAMES))
# What ends the name of a firm that is called after somebody.
_FIRM = (
    r"(?:works|foods|sons?|brothers|labs?|press|inc|llc|ltd|plc|gmbh|ag|kg|se|co|corp|company|"
    r"group|gruppe|partners?|bank|"
    r"institute?|stiftung|foundation|hospital|klinik|clinic|school|schule|university|college|"
    r"energy|media|software|studios?|technolog\w+|logisti\w+|motors|pharma|consulting|"
    r"verlag|bau|transport\w*|design|systems?)\.?"
)
# "Tom", "Tom Weber", "Mr Weber"; not "Tom Weber GmbH".
PERSONS = (
    rf"(?:{_ANY})(?: (?!{_FIRM}$)[\w'-]+){{0,2}}|"
    r"(?:mr|mrs|ms|miss|sir|dr|prof|professor|doctor|herrn?|frau|familie)\.? (?!(?:\w+ )*"
    rf"{_FIRM}$)[\w'. -]+|"
    r"(?:uncle|aunt|auntie|cousin|grandpa|grandma|onkel|tante|opa|oma) \w+"
)
