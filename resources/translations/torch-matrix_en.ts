<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>tmx::AuditPage</name>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n note</numerusform>
            <numerusform>%n notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Fix all %n of this rule…</source>
        <translation>
            <numerusform>Fix all %n of this rule…</numerusform>
            <numerusform>Fix all %n of this rule…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::BranchChooser</name>
    <message numerus="yes">
        <source>%1: %2 at %3, %n recipes</source>
        <translation>
            <numerusform>%1: %2 at %3, %n recipe</numerusform>
            <numerusform>%1: %2 at %3, %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n remote branches that equal local ones are hidden. Type a name above to see them.</source>
        <translation>
            <numerusform>%n remote branch that equals a local one is hidden. Type a name above to see it.</numerusform>
            <numerusform>%n remote branches that equal local ones are hidden. Type a name above to see them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::BuildChart</name>
    <message numerus="yes">
        <source>at most %n builds, %1 of them at once</source>
        <translation>
            <numerusform>at most %n build, %1 of them at once</numerusform>
            <numerusform>at most %n builds, %1 of them at once</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::BuildDialog</name>
    <message numerus="yes">
        <source>%n builds wait for these: %1.</source>
        <translation>
            <numerusform>%n build waits for these: %1.</numerusform>
            <numerusform>%n builds wait for these: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>And %n more.</numerusform>
            <numerusform>And %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::ChangeView</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::ComparePanel</name>
    <message numerus="yes">
        <source>%n facts differ</source>
        <translation>
            <numerusform>%n fact differs</numerusform>
            <numerusform>%n facts differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more are ignored</source>
        <comment>facts that differ</comment>
        <translation>
            <numerusform>%n more is ignored</numerusform>
            <numerusform>%n more are ignored</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 cells, %n differ</source>
        <comment>slice, cells</comment>
        <translation>
            <numerusform>%1: %2 cells, %n differs</numerusform>
            <numerusform>%1: %2 cells, %n differ</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::ConsoleHeader</name>
    <message numerus="yes">
        <source>%1 of %Ln steps</source>
        <translation>
            <numerusform>%1 of %Ln step</numerusform>
            <numerusform>%1 of %Ln steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::ConsoleView</name>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::CopyForm</name>
    <message numerus="yes">
        <source>%n recipes of %1: %2</source>
        <translation>
            <numerusform>%n recipe of %1: %2</numerusform>
            <numerusform>%n recipes of %1: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::FactChips</name>
    <message numerus="yes">
        <source>%1 differs in %Ln cells</source>
        <translation>
            <numerusform>%1 differs in %Ln cell</numerusform>
            <numerusform>%1 differs in %Ln cells</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 differs in %Ln cells. Click to ignore it.</source>
        <translation>
            <numerusform>%1 differs in %Ln cell. Click to ignore it.</numerusform>
            <numerusform>%1 differs in %Ln cells. Click to ignore it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 differs in %Ln cells and is ignored. Click to count it.</source>
        <translation>
            <numerusform>%1 differs in %Ln cell and is ignored. Click to count it.</numerusform>
            <numerusform>%1 differs in %Ln cells and is ignored. Click to count it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <comment>facts that differ</comment>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::GridPanel</name>
    <message numerus="yes">
        <source>&amp;Generate %n recipes</source>
        <translation>
            <numerusform>&amp;Generate %n recipe</numerusform>
            <numerusform>&amp;Generate %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Commit %n recipes…</source>
        <translation>
            <numerusform>&amp;Commit %n recipe…</numerusform>
            <numerusform>&amp;Commit %n recipes…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Build %n variants</source>
        <translation>
            <numerusform>&amp;Build %n variant</numerusform>
            <numerusform>&amp;Build %n variants</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Publish %n variants…</source>
        <translation>
            <numerusform>&amp;Publish %n variant…</numerusform>
            <numerusform>&amp;Publish %n variants…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>D&amp;iscard changes of %n recipes…</source>
        <translation>
            <numerusform>D&amp;iscard changes of %n recipe…</numerusform>
            <numerusform>D&amp;iscard changes of %n recipes…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Delete %n recipes…</source>
        <translation>
            <numerusform>&amp;Delete %n recipe…</numerusform>
            <numerusform>&amp;Delete %n recipes…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copy %n package &amp;names</source>
        <translation>
            <numerusform>Copy %n package &amp;name</numerusform>
            <numerusform>Copy %n package &amp;names</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::HardwarePanel</name>
    <message numerus="yes">
        <source>Show %n variants that do not run</source>
        <translation>
            <numerusform>Show %n variant that does not run</numerusform>
            <numerusform>Show %n variants that do not run</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::HistoryPanel</name>
    <message numerus="yes">
        <source>%1 changed: %n recipes</source>
        <translation>
            <numerusform>%1 changed: %n recipe</numerusform>
            <numerusform>%1 changed: %n recipes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::IgnoreForm</name>
    <message numerus="yes">
        <source>Findings of %1 in %n recipes become notes; torch-matrix.toml keeps the reason.</source>
        <translation>
            <numerusform>Findings of %1 in %n recipe become notes; torch-matrix.toml keeps the reason.</numerusform>
            <numerusform>Findings of %1 in %n recipes become notes; torch-matrix.toml keeps the reason.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::Legend</name>
    <message numerus="yes">
        <source>%n cells:</source>
        <translation>
            <numerusform>%n cell:</numerusform>
            <numerusform>%n cells:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::LikeForm</name>
    <message numerus="yes">
        <source>%n recipes: %1</source>
        <translation>
            <numerusform>%n recipe: %1</numerusform>
            <numerusform>%n recipes: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::MachineFacts</name>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::MarkedScrollBar</name>
    <message numerus="yes">
        <source>%n errors are marked.</source>
        <translation>
            <numerusform>%n error is marked.</numerusform>
            <numerusform>%n errors are marked.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::MatrixModel</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variants</source>
        <translation>
            <numerusform>%n variant</numerusform>
            <numerusform>%n variants</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n variants shown</source>
        <translation>
            <numerusform>%1 of %n variant shown</numerusform>
            <numerusform>%1 of %n variants shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::NewRepositoryDialog</name>
    <message numerus="yes">
        <source>%n recipes</source>
        <translation>
            <numerusform>%n recipe</numerusform>
            <numerusform>%n recipes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::Notices</name>
    <message numerus="yes">
        <source>and %n more: git ls-tree -r %1</source>
        <translation>
            <numerusform>and %n more: git ls-tree -r %1</numerusform>
            <numerusform>and %n more: git ls-tree -r %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::OutcomeBar</name>
    <message numerus="yes">
        <source>%n error lines</source>
        <translation>
            <numerusform>%n error line</numerusform>
            <numerusform>%n error lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::PastBuilds</name>
    <message numerus="yes">
        <source>%n more failed.</source>
        <translation>
            <numerusform>%n more failed.</numerusform>
            <numerusform>%n more failed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n builds: %2 built, %3 failed</source>
        <translation>
            <numerusform>%1 of %n build: %2 built, %3 failed</numerusform>
            <numerusform>%1 of %n builds: %2 built, %3 failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::PlanView</name>
    <message numerus="yes">
        <source>Apply %n steps</source>
        <translation>
            <numerusform>Apply %n step</numerusform>
            <numerusform>Apply %n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::PreferencesController</name>
    <message numerus="yes">
        <source>%n logs are above the limit, and would be removed.</source>
        <translation>
            <numerusform>%n log is above the limit, and would be removed.</numerusform>
            <numerusform>%n logs are above the limit, and would be removed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::ProblemsView</name>
    <message numerus="yes">
        <source>Show the change that fixes %n findings</source>
        <translation>
            <numerusform>Show the change that fixes %n finding</numerusform>
            <numerusform>Show the change that fixes %n findings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::PublishDialog</name>
    <message numerus="yes">
        <source>%1 of %n recipes of branch %2 are published. flox builds each package again and uploads it.</source>
        <translation>
            <numerusform>%1 of %n recipe of branch %2 is published. flox builds each package again and uploads it.</numerusform>
            <numerusform>%1 of %n recipes of branch %2 are published. flox builds each package again and uploads it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::ReadmeForm</name>
    <message numerus="yes">
        <source>all %n local branches</source>
        <translation>
            <numerusform>every local branch</numerusform>
            <numerusform>all %n local branches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::RecipeActions</name>
    <message numerus="yes">
        <source>Branch %1 is not checked out, so there is no working tree to write to. Commit %n recipes directly to it?</source>
        <translation>
            <numerusform>Branch %1 is not checked out, so there is no working tree to write to. Commit %n recipe directly to it?</numerusform>
            <numerusform>Branch %1 is not checked out, so there is no working tree to write to. Commit %n recipes directly to it?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Write %n recipes into the working tree?</source>
        <translation>
            <numerusform>Write %n recipe into the working tree?</numerusform>
            <numerusform>Write %n recipes into the working tree?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes</source>
        <translation>
            <numerusform>%n recipe</numerusform>
            <numerusform>%n recipes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::RecipeController</name>
    <message numerus="yes">
        <source>%1 of %n recipes</source>
        <translation>
            <numerusform>%1 of %n recipe</numerusform>
            <numerusform>%1 of %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n recipes: %1</source>
        <translation>
            <numerusform>in %n recipe: %1</numerusform>
            <numerusform>in %n recipes: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::RecipePage</name>
    <message numerus="yes">
        <source>Used by %n recipes</source>
        <translation>
            <numerusform>Used by %n recipe</numerusform>
            <numerusform>Used by %n recipes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::RecipePane</name>
    <message numerus="yes">
        <source>Generate %n recipes</source>
        <translation>
            <numerusform>Generate %n recipe</numerusform>
            <numerusform>Generate %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Commit %n recipes</source>
        <translation>
            <numerusform>Commit %n recipe</numerusform>
            <numerusform>Commit %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Build %n packages</source>
        <translation>
            <numerusform>Build %n package</numerusform>
            <numerusform>Build %n packages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Verify %n results</source>
        <translation>
            <numerusform>Verify %n result</numerusform>
            <numerusform>Verify %n results</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Publish %n packages</source>
        <translation>
            <numerusform>Publish %n package</numerusform>
            <numerusform>Publish %n packages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::RepositoryBar</name>
    <message numerus="yes">
        <source>%n commits</source>
        <translation>
            <numerusform>%n commit</numerusform>
            <numerusform>%n commits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::SaveForm</name>
    <message numerus="yes">
        <source>%n lines of comments are lost, because those parts of the file are rewritten.</source>
        <translation>
            <numerusform>%n line of comments is lost, because that part of the file is rewritten.</numerusform>
            <numerusform>%n lines of comments are lost, because those parts of the file are rewritten.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::ScheduleChart</name>
    <message numerus="yes">
        <source>%1, from %n similar builds</source>
        <translation>
            <numerusform>%1, from %n similar build</numerusform>
            <numerusform>%1, from %n similar builds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n builds ended in the last day, and none is running or waiting.</source>
        <translation>
            <numerusform>%n build ended in the last day, and none is running or waiting.</numerusform>
            <numerusform>%n builds ended in the last day, and none is running or waiting.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::SettingsChangeForm</name>
    <message numerus="yes">
        <source>Replace %1 in %n recipes</source>
        <translation>
            <numerusform>Replace %1 in %n recipe</numerusform>
            <numerusform>Replace %1 in %n recipes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::SettingsController</name>
    <message numerus="yes">
        <source>%n branches</source>
        <translation>
            <numerusform>%n branch</numerusform>
            <numerusform>%n branches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::SettingsPage</name>
    <message numerus="yes">
        <source>%n variants in the coverage, %1 of them impossible.</source>
        <translation>
            <numerusform>%n variant in the coverage, %1 of them impossible.</numerusform>
            <numerusform>%n variants in the coverage, %1 of them impossible.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variants in the coverage.</source>
        <translation>
            <numerusform>%n variant in the coverage.</numerusform>
            <numerusform>%n variants in the coverage.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::Tr</name>
    <message numerus="yes">
        <source>&amp;Generate %n recipes</source>
        <translation>
            <numerusform>&amp;Generate %n recipe</numerusform>
            <numerusform>&amp;Generate %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Commit %n recipes</source>
        <translation>
            <numerusform>&amp;Commit %n recipe</numerusform>
            <numerusform>&amp;Commit %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Build %n variants</source>
        <translation>
            <numerusform>&amp;Build %n variant</numerusform>
            <numerusform>&amp;Build %n variants</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Publish %n variants…</source>
        <translation>
            <numerusform>&amp;Publish %n variant…</numerusform>
            <numerusform>&amp;Publish %n variants…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It says %1 for branch %2, which has %n recipes.</source>
        <translation>
            <numerusform>It says %1 for branch %2, which has %n recipe.</numerusform>
            <numerusform>It says %1 for branch %2, which has %n recipes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files are for this cell: %1.</source>
        <translation>
            <numerusform>%n file is for this cell: %1.</numerusform>
            <numerusform>%n files are for this cell: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n derivations to build</source>
        <translation>
            <numerusform>%n derivation to build</numerusform>
            <numerusform>%n derivations to build</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paths to fetch</source>
        <translation>
            <numerusform>%n path to fetch</numerusform>
            <numerusform>%n paths to fetch</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paths to fetch (%1, %2 unpacked)</source>
        <translation>
            <numerusform>%n path to fetch (%1, %2 unpacked)</numerusform>
            <numerusform>%n paths to fetch (%1, %2 unpacked)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>it is larger than %n bytes</source>
        <translation>
            <numerusform>it is larger than %n byte</numerusform>
            <numerusform>it is larger than %n bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %1 left (from %n similar builds)</source>
        <translation>
            <numerusform>about %1 left (from %n similar build)</numerusform>
            <numerusform>about %1 left (from %n similar builds)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>keys and brackets nest more than %n levels deep</source>
        <translation>
            <numerusform>keys and brackets nest more than %n level deep</numerusform>
            <numerusform>keys and brackets nest more than %n levels deep</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>has %n entries; the limit is %1</source>
        <translation>
            <numerusform>has %n entry; the limit is %1</numerusform>
            <numerusform>has %n entries; the limit is %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes created</source>
        <translation>
            <numerusform>%n recipe created</numerusform>
            <numerusform>%n recipes created</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n created</source>
        <translation>
            <numerusform>%n created</numerusform>
            <numerusform>%n created</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes rewritten</source>
        <translation>
            <numerusform>%n recipe rewritten</numerusform>
            <numerusform>%n recipes rewritten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rewritten</source>
        <translation>
            <numerusform>%n rewritten</numerusform>
            <numerusform>%n rewritten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes renamed</source>
        <translation>
            <numerusform>%n recipe renamed</numerusform>
            <numerusform>%n recipes renamed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n renamed</source>
        <translation>
            <numerusform>%n renamed</numerusform>
            <numerusform>%n renamed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes deleted</source>
        <translation>
            <numerusform>%n recipe deleted</numerusform>
            <numerusform>%n recipes deleted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n deleted</source>
        <translation>
            <numerusform>%n deleted</numerusform>
            <numerusform>%n deleted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes stay as they are</source>
        <translation>
            <numerusform>%n recipe stays as it is</numerusform>
            <numerusform>%n recipes stay as they are</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stay as they are</source>
        <translation>
            <numerusform>%n stays as it is</numerusform>
            <numerusform>%n stay as they are</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes unchanged unless ticked</source>
        <translation>
            <numerusform>%n recipe unchanged unless ticked</numerusform>
            <numerusform>%n recipes unchanged unless ticked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unchanged unless ticked</source>
        <translation>
            <numerusform>%n unchanged unless ticked</numerusform>
            <numerusform>%n unchanged unless ticked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes take torch from %1 and others that are deleted: %2.</source>
        <translation>
            <numerusform>%n recipe takes torch from %1, which is deleted: %2.</numerusform>
            <numerusform>%n recipes take torch from %1 and others that are deleted: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The audit has warnings for %n new texts, %1 (%2). The first warning: %3</source>
        <translation>
            <numerusform>The audit has warnings for %n new text, %1 (%2): %3</numerusform>
            <numerusform>The audit has warnings for %n new texts, %1 (%2). The first warning: %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>README.md is written on %n branches, each as one commit.</source>
        <translation>
            <numerusform>README.md is written on %n branch, as one commit.</numerusform>
            <numerusform>README.md is written on %n branches, each as one commit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The audit finds %n errors in the new text.</source>
        <translation>
            <numerusform>The audit finds an error in the new text.</numerusform>
            <numerusform>The audit finds %n errors in the new text.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation>
            <numerusform>%n new</numerusform>
            <numerusform>%n new</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n no longer listed</source>
        <translation>
            <numerusform>%n no longer listed</numerusform>
            <numerusform>%n no longer listed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It has the coverage of %1 and lists %n variants.</source>
        <translation>
            <numerusform>It has the coverage of %1 and lists %n variant.</numerusform>
            <numerusform>It has the coverage of %1 and lists %n variants.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It has the coverage of %1 and lists %n variants: %2.</source>
        <translation>
            <numerusform>It has the coverage of %1 and lists %n variant: %2.</numerusform>
            <numerusform>It has the coverage of %1 and lists %n variants: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cells are impossible here and are left out: %1.</source>
        <translation>
            <numerusform>%n cell is impossible here and is left out: %1.</numerusform>
            <numerusform>%n cells are impossible here and are left out: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are rendered from the template, and their own comments and changes are lost, because they cannot be changed in place: %1 (%2).</source>
        <translation>
            <numerusform>%n recipe is rendered from the template, and its own comments and changes are lost, because it cannot be changed in place: %1 (%2).</numerusform>
            <numerusform>%n recipes are rendered from the template, and their own comments and changes are lost, because they cannot be changed in place: %1 (%2).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cells of the coverage have no recipe on %1 and get none here; &quot;plan&quot; creates them.</source>
        <translation>
            <numerusform>%n cell of the coverage has no recipe on %1 and gets none here; &quot;plan&quot; creates it.</numerusform>
            <numerusform>%n cells of the coverage have no recipe on %1 and get none here; &quot;plan&quot; creates them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other files mention %1 and are not changed: %2.</source>
        <translation>
            <numerusform>%n other file mentions %1 and is not changed: %2.</numerusform>
            <numerusform>%n other files mention %1 and are not changed: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes would no longer be listed: %1</source>
        <translation>
            <numerusform>%n recipe would no longer be listed: %1</numerusform>
            <numerusform>%n recipes would no longer be listed: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variants are no longer listed: %1. Their recipes stay.</source>
        <translation>
            <numerusform>%n variant is no longer listed: %1. Its recipe stays.</numerusform>
            <numerusform>%n variants are no longer listed: %1. Their recipes stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variants take longer than the %1 hours that a job may run, up to %2: %3. Name a runner of your own for them.</source>
        <translation>
            <numerusform>%n variant takes longer than the %1 hours that a job may run, up to %2: %3. Name a runner of your own for it.</numerusform>
            <numerusform>%n variants take longer than the %1 hours that a job may run, up to %2: %3. Name a runner of your own for them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 It has %n more errors.</source>
        <translation>
            <numerusform>%1 It has %n more error.</numerusform>
            <numerusform>%1 It has %n more errors.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other recipes fetch the same source with that hash and are corrected as well.</source>
        <translation>
            <numerusform>%n other recipe fetches the same source with that hash and is corrected as well.</numerusform>
            <numerusform>%n other recipes fetch the same source with that hash and are corrected as well.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Intel publishes MKL only for x86_64: %n recipes of other CPUs keep OpenBLAS.</source>
        <translation>
            <numerusform>Intel publishes MKL only for x86_64: %n recipe of another CPU keeps OpenBLAS.</numerusform>
            <numerusform>Intel publishes MKL only for x86_64: %n recipes of other CPUs keep OpenBLAS.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n %2 variants have their %3.</source>
        <translation>
            <numerusform>%1 of %n %2 variants have their %3.</numerusform>
            <numerusform>%1 of %n %2 variants have their %3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n %1 variants have no %2.</source>
        <translation>
            <numerusform>%n %1 variant has no %2.</numerusform>
            <numerusform>%n %1 variants have no %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cells</source>
        <translation>
            <numerusform>%n cell</numerusform>
            <numerusform>%n cells</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts differ</source>
        <translation>
            <numerusform>%n fact differs</numerusform>
            <numerusform>%n facts differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n builds at a time</source>
        <translation>
            <numerusform>%n build at a time</numerusform>
            <numerusform>%n builds at a time</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variants</source>
        <translation>
            <numerusform>%n variant</numerusform>
            <numerusform>%n variants</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n grids</source>
        <translation>
            <numerusform>%n grid</numerusform>
            <numerusform>%n grids</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %2 of %Ln steps</source>
        <translation>
            <numerusform>%1, %2 of %Ln step</numerusform>
            <numerusform>%1, %2 of %Ln steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n differ</source>
        <comment>how many facts of a recipe</comment>
        <translation>
            <numerusform>%n differs</numerusform>
            <numerusform>%n differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln errors</source>
        <translation>
            <numerusform>%Ln error</numerusform>
            <numerusform>%Ln errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warnings</source>
        <translation>
            <numerusform>%Ln warning</numerusform>
            <numerusform>%Ln warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation>
            <numerusform>%n day ago</numerusform>
            <numerusform>%n days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>nested too deeply: more than %n levels</source>
        <translation>
            <numerusform>nested too deeply: more than %n level</numerusform>
            <numerusform>nested too deeply: more than %n levels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>git or a hook ran for more than %n minutes</source>
        <translation>
            <numerusform>git or a hook ran for more than %n minute</numerusform>
            <numerusform>git or a hook ran for more than %n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>a name has at most %n bytes</source>
        <translation>
            <numerusform>a name has at most %n byte</numerusform>
            <numerusform>a name has at most %n bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>it has more than %n files</source>
        <translation>
            <numerusform>it has more than %n file</numerusform>
            <numerusform>it has more than %n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 would lose %n comments, the first being &quot;%2&quot;</source>
        <translation>
            <numerusform>%1 would lose the comment &quot;%2&quot;</numerusform>
            <numerusform>%1 would lose %n comments, the first being &quot;%2&quot;</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts differ from the template: %1.</source>
        <translation>
            <numerusform>%n fact differs from the template: %1.</numerusform>
            <numerusform>%n facts differ from the template: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n recipes of %2, %3, %4 have another %5 (%6).</source>
        <translation>
            <numerusform>%1 of %n recipe of %2, %3, %4 has another %5 (%6).</numerusform>
            <numerusform>%1 of %n recipes of %2, %3, %4 have another %5 (%6).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes were read.</source>
        <translation>
            <numerusform>%n recipe was read.</numerusform>
            <numerusform>%n recipes were read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes were read, and %1 of them differ from the others.</source>
        <translation>
            <numerusform>%n recipe was read, and %1 of them differ from the others.</numerusform>
            <numerusform>%n recipes were read, and %1 of them differ from the others.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes may be missing.</source>
        <translation>
            <numerusform>%n recipe may be missing.</numerusform>
            <numerusform>%n recipes may be missing.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slots</source>
        <translation>
            <numerusform>%n slot</numerusform>
            <numerusform>%n slots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n builds take about %1, until %2.</source>
        <translation>
            <numerusform>%n build takes about %1, until %2.</numerusform>
            <numerusform>%n builds take about %1, until %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The audit finds %n errors. The first one: %1</source>
        <translation>
            <numerusform>The audit finds an error: %1</numerusform>
            <numerusform>The audit finds %n errors. The first one: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The queue is paused, %n builds wait.</source>
        <translation>
            <numerusform>The queue is paused, %n build waits.</numerusform>
            <numerusform>The queue is paused, %n builds wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n builds ended.</source>
        <translation>
            <numerusform>%1 of %n build ended.</numerusform>
            <numerusform>%1 of %n builds ended.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes</source>
        <translation>
            <numerusform>%n recipe</numerusform>
            <numerusform>%n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n errors</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n note</numerusform>
            <numerusform>%n notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n packages</source>
        <translation>
            <numerusform>%n package</numerusform>
            <numerusform>%n packages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files are no variants</source>
        <translation>
            <numerusform>%n file is no variant</numerusform>
            <numerusform>%n files are no variants</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes were not read: it is unclear which package they build (%1).</source>
        <translation>
            <numerusform>%n recipe was not read: it is unclear which package it builds (%1).</numerusform>
            <numerusform>%n recipes were not read: it is unclear which package they build (%1).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n packages are no variants, so only their syntax was checked (%1).</source>
        <translation>
            <numerusform>%n package is no variant, so only its syntax was checked (%1).</numerusform>
            <numerusform>%n packages are no variants, so only their syntax was checked (%1).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the audit finds %n errors in the new text</source>
        <translation>
            <numerusform>the audit finds an error in the new text</numerusform>
            <numerusform>the audit finds %n errors in the new text</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to %1</source>
        <comment>recipes, what is done with them</comment>
        <translation>
            <numerusform>%n to %1</numerusform>
            <numerusform>%n to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more errors</source>
        <translation>
            <numerusform>and %n more error</numerusform>
            <numerusform>and %n more errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are kept; --also NAME... replaces them</source>
        <translation>
            <numerusform>%n recipe is kept; --also NAME... replaces them</numerusform>
            <numerusform>%n recipes are kept; --also NAME... replaces them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are kept; --also NAME... renders them from the template</source>
        <translation>
            <numerusform>%n recipe is kept; --also NAME... renders them from the template</numerusform>
            <numerusform>%n recipes are kept; --also NAME... renders them from the template</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n to keep</source>
        <translation>
            <numerusform>%1, %n to keep</numerusform>
            <numerusform>%1, %n to keep</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files are written; nothing is committed.</source>
        <translation>
            <numerusform>%n file is written; nothing is committed.</numerusform>
            <numerusform>%n files are written; nothing is committed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files are committed on branch %1.</source>
        <translation>
            <numerusform>%n file is committed on branch %1.</numerusform>
            <numerusform>%n files are committed on branch %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n written</source>
        <comment>recipes</comment>
        <translation>
            <numerusform>%n written</numerusform>
            <numerusform>%n written</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n there already</source>
        <comment>recipes</comment>
        <translation>
            <numerusform>%n there already</numerusform>
            <numerusform>%n there already</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n deleted in the working tree and not written; name a variant to write its recipe again</source>
        <comment>recipes</comment>
        <translation>
            <numerusform>%n deleted in the working tree and not written; name a variant to write its recipe again</numerusform>
            <numerusform>%n deleted in the working tree and not written; name a variant to write its recipe again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n logs take %1 (%2 compressed). Above %3 the oldest are removed.</source>
        <translation>
            <numerusform>%n log takes %1 (%2 compressed). Above %3 the oldest are removed.</numerusform>
            <numerusform>%n logs take %1 (%2 compressed). Above %3 the oldest are removed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopping %n builds. Run the command again to use a stronger signal.</source>
        <translation>
            <numerusform>Stopping %n build. Run the command again to use a stronger signal.</numerusform>
            <numerusform>Stopping %n builds. Run the command again to use a stronger signal.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopped %n builds that had not started.</source>
        <translation>
            <numerusform>Stopped %n build that had not started.</numerusform>
            <numerusform>Stopped %n builds that had not started.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Queued %n builds again.</source>
        <translation>
            <numerusform>Queued %n build again.</numerusform>
            <numerusform>Queued %n builds again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n at a time</source>
        <comment>builds</comment>
        <translation>
            <numerusform>%n at a time</numerusform>
            <numerusform>%n at a time</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n jobs could not be read: %1</source>
        <translation>
            <numerusform>%n job could not be read: %1</numerusform>
            <numerusform>%n jobs could not be read: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1  %n recipes</source>
        <translation>
            <numerusform>%1  %n recipe</numerusform>
            <numerusform>%1  %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes as they are</source>
        <translation>
            <numerusform>%n recipe as it is</numerusform>
            <numerusform>%n recipes as they are</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes may be missing, but the settings do not list them: %1. &quot;plan&quot; says why; &quot;generate NAME&quot; writes one.</source>
        <translation>
            <numerusform>%n recipe may be missing, but the settings do not list it: %1. &quot;plan&quot; says why; &quot;generate NAME&quot; writes one.</numerusform>
            <numerusform>%n recipes may be missing, but the settings do not list them: %1. &quot;plan&quot; says why; &quot;generate NAME&quot; writes one.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes cannot be carried over. %1</source>
        <translation>
            <numerusform>%n recipe cannot be carried over. %1</numerusform>
            <numerusform>%n recipes cannot be carried over. %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes import it.</source>
        <translation>
            <numerusform>%n recipe imports it.</numerusform>
            <numerusform>%n recipes import it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them have another nixpkgs revision.</source>
        <translation>
            <numerusform>%n of them has another nixpkgs revision.</numerusform>
            <numerusform>%n of them have another nixpkgs revision.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are missing: %1</source>
        <translation>
            <numerusform>%n recipe is missing: %1</numerusform>
            <numerusform>%n recipes are missing: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the PyTorch version of %n recipes is unknown</source>
        <translation>
            <numerusform>the PyTorch version of %n recipe is unknown</numerusform>
            <numerusform>the PyTorch version of %n recipes is unknown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes import PyTorch from %1, which has no clone here.</source>
        <translation>
            <numerusform>%n recipe imports PyTorch from %1, which has no clone here.</numerusform>
            <numerusform>%n recipes import PyTorch from %1, which has no clone here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes import PyTorch from %1, and the clone %2 does not have that commit.</source>
        <translation>
            <numerusform>%n recipe imports PyTorch from %1, and the clone %2 does not have that commit.</numerusform>
            <numerusform>%n recipes import PyTorch from %1, and the clone %2 does not have that commit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n commits behind its branch %1</source>
        <translation>
            <numerusform>%n commit behind its branch %1</numerusform>
            <numerusform>%n commits behind its branch %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n commits ahead of its branch %1 and %2 behind</source>
        <translation>
            <numerusform>%n commit ahead of its branch %1 and %2 behind</numerusform>
            <numerusform>%n commits ahead of its branch %1 and %2 behind</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes import PyTorch from %1, %2.</source>
        <translation>
            <numerusform>%n recipe imports PyTorch from %1, %2.</numerusform>
            <numerusform>%n recipes import PyTorch from %1, %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 changed: %n recipes</source>
        <translation>
            <numerusform>%1 changed: %n recipe</numerusform>
            <numerusform>%1 changed: %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes follow although the new settings are not for them, because they take the value from the same place: %1.</source>
        <translation>
            <numerusform>%n recipe follows although the new settings are not for it, because it takes the value from the same place: %1.</numerusform>
            <numerusform>%n recipes follow although the new settings are not for them, because they take the value from the same place: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It changes %n recipes.</source>
        <translation>
            <numerusform>It changes %n recipe.</numerusform>
            <numerusform>It changes %n recipes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n packages import it</source>
        <translation>
            <numerusform>%n package imports it</numerusform>
            <numerusform>%n packages import it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n older lines are not read.</source>
        <translation>
            <numerusform>%n older line is not read.</numerusform>
            <numerusform>%n older lines are not read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n jobs of %2, %3 in all.</source>
        <translation>
            <numerusform>%1: %n job of %2, %3 in all.</numerusform>
            <numerusform>%1: %n jobs of %2, %3 in all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes:</source>
        <translation>
            <numerusform>%n recipe:</numerusform>
            <numerusform>%n recipes:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n recipes</source>
        <translation>
            <numerusform>%1: %n recipe</numerusform>
            <numerusform>%1: %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Retry with %n cores</source>
        <translation>
            <numerusform>Retry with %n core</numerusform>
            <numerusform>Retry with %n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n branches</source>
        <translation>
            <numerusform>%n branch</numerusform>
            <numerusform>%n branches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n builds running</source>
        <translation>
            <numerusform>%n build running</numerusform>
            <numerusform>%n builds running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It says %1, but there are %n such recipes.</source>
        <translation>
            <numerusform>It says %1, but there is %n such recipe.</numerusform>
            <numerusform>It says %1, but there are %n such recipes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n recipes</source>
        <comment>a change</comment>
        <translation>
            <numerusform>%1 in %n recipe</numerusform>
            <numerusform>%1 in %n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n other changes</source>
        <translation>
            <numerusform>and %n other change</numerusform>
            <numerusform>and %n other changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>nvidia-smi could not read %n GPUs (ERR!).</source>
        <translation>
            <numerusform>nvidia-smi could not read %n GPU (ERR!).</numerusform>
            <numerusform>nvidia-smi could not read %n GPUs (ERR!).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes changed: %1.</source>
        <translation>
            <numerusform>%n recipe changed: %1.</numerusform>
            <numerusform>%n recipes changed: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes import %1, which changed: %2.</source>
        <translation>
            <numerusform>%n recipe imports %1, which changed: %2.</numerusform>
            <numerusform>%n recipes import %1, which changed: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This machine swapped, so it does %n builds at a time until its builds have ended.</source>
        <translation>
            <numerusform>This machine swapped, so it does %n build at a time until its builds have ended.</numerusform>
            <numerusform>This machine swapped, so it does %n builds at a time until its builds have ended.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 names a nixpkgs that is replaced, and is not changed in %n lines that may be about something else: %2.</source>
        <translation>
            <numerusform>%1 names a nixpkgs that is replaced, and is not changed in %n line that may be about something else: %2.</numerusform>
            <numerusform>%1 names a nixpkgs that is replaced, and is not changed in %n lines that may be about something else: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n recipes)</source>
        <translation>
            <numerusform>%1 (%n recipe)</numerusform>
            <numerusform>%1 (%n recipes)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>nixpkgs %1 is no longer fetched by %n recipes.</source>
        <translation>
            <numerusform>nixpkgs %1 is no longer fetched by %n recipe.</numerusform>
            <numerusform>nixpkgs %1 is no longer fetched by %n recipes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>nixpkgs %1 is replaced by %2 in %n recipes.</source>
        <translation>
            <numerusform>nixpkgs %1 is replaced by %2 in %n recipe.</numerusform>
            <numerusform>nixpkgs %1 is replaced by %2 in %n recipes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n more that is not known, because a version is not stated.</source>
        <translation>
            <numerusform>Of %n more that is not known, because a version is not stated.</numerusform>
            <numerusform>Of %n more that is not known, because a version is not stated.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variants have no recipe, and similar ones have one.</source>
        <translation>
            <numerusform>%n variant has no recipe, and similar ones have one.</numerusform>
            <numerusform>%n variants have no recipe, and similar ones have one.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>line %1 is right for %n other recipes that read it</source>
        <translation>
            <numerusform>line %1 is right for %n other recipe that reads it</numerusform>
            <numerusform>line %1 is right for %n other recipes that read it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are left out, because the audit finds errors in them: %1.</source>
        <translation>
            <numerusform>%n recipe is left out, because the audit finds errors in it: %1.</numerusform>
            <numerusform>%n recipes are left out, because the audit finds errors in them: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>--all shows the reasons.</source>
        <translation>
            <numerusform>--all shows the reason.</numerusform>
            <numerusform>--all shows the reasons.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n packages that are no variants import what changes, keep their names and build something else: %1.</source>
        <translation>
            <numerusform>%n package that is no variant imports what changes, keeps its name and builds something else: %1.</numerusform>
            <numerusform>%n packages that are no variants import what changes, keep their names and build something else: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no recipe and no file that recipes import would change; %n places state %1: %2</source>
        <translation>
            <numerusform>no recipe and no file that recipes import would change; %n place states %1: %2</numerusform>
            <numerusform>no recipe and no file that recipes import would change; %n places state %1: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n places still state the replaced nixpkgs %1: %2.</source>
        <translation>
            <numerusform>%n place still states the replaced nixpkgs %1: %2.</numerusform>
            <numerusform>%n places still state the replaced nixpkgs %1: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n packages that are no variants differ: %1.</source>
        <translation>
            <numerusform>%n package that is no variant differs: %1.</numerusform>
            <numerusform>%n packages that are no variants differ: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n packages that are no variants are not on every side: %1.</source>
        <translation>
            <numerusform>%n package that is no variant is not on every side: %1.</numerusform>
            <numerusform>%n packages that are no variants are not on every side: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n, it is not known which torch version they need or get.</source>
        <translation>
            <numerusform>Of %n, it is not known which torch version it needs or gets.</numerusform>
            <numerusform>Of %n, it is not known which torch version they need or get.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>probably missing: %n more, which &quot;torch-matrix plan&quot; lists</source>
        <translation>
            <numerusform>probably missing: %n more, which &quot;torch-matrix plan&quot; lists</numerusform>
            <numerusform>probably missing: %n more, which &quot;torch-matrix plan&quot; lists</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cannot be made: %1.</source>
        <comment>recipes</comment>
        <translation>
            <numerusform>%n cannot be made: %1.</numerusform>
            <numerusform>%n cannot be made: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The comments of %n recipes stay, because what they import is not fixed: %1.</source>
        <translation>
            <numerusform>The comment of %n recipe stays, because what it imports is not fixed: %1.</numerusform>
            <numerusform>The comments of %n recipes stay, because what they import is not fixed: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are impossible, as on %1: %2.</source>
        <translation>
            <numerusform>%n recipe is impossible, as on %1: %2.</numerusform>
            <numerusform>%n recipes are impossible, as on %1: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes still mention %1: %2.</source>
        <translation>
            <numerusform>%n recipe still mentions %1: %2.</numerusform>
            <numerusform>%n recipes still mention %1: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files would have an error (%1), which is fixed in place: %2.</source>
        <translation>
            <numerusform>%n file would have an error (%1), which is fixed in place: %2.</numerusform>
            <numerusform>%n files would have an error (%1), which is fixed in place: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cells in both: %1.</source>
        <translation>
            <numerusform>%n cell in both: %1.</numerusform>
            <numerusform>%n cells in both: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cells in all %1: %2.</source>
        <translation>
            <numerusform>%n cell in all %1: %2.</numerusform>
            <numerusform>%n cells in all %1: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cells, %1 of them in all %2: %3.</source>
        <translation>
            <numerusform>%n cell, %1 of them in all %2: %3.</numerusform>
            <numerusform>%n cells, %1 of them in all %2: %3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The audit finds %n errors in the uncommitted text, which is not built. The first one: %1</source>
        <translation>
            <numerusform>The audit finds %n error in the uncommitted text, which is not built. The first one: %1</numerusform>
            <numerusform>The audit finds %n errors in the uncommitted text, which is not built. The first one: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What stands there is right for %n other recipes.</source>
        <translation>
            <numerusform>What stands there is right for %n other recipe.</numerusform>
            <numerusform>What stands there is right for %n other recipes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %Ln recipes</source>
        <translation>
            <numerusform>%1 in %Ln recipe</numerusform>
            <numerusform>%1 in %Ln recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are made from the nearest recipes of the branch or from built-in templates: check their comments.</source>
        <translation>
            <numerusform>%n recipe is made from the nearest recipe of the branch or from a built-in template: check its comments.</numerusform>
            <numerusform>%n recipes are made from the nearest recipes of the branch or from built-in templates: check their comments.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>note: %n recipes build on a PyTorch recipe of another repository. Where no cache has it, its build comes before, and its time is not in these.</source>
        <translation>
            <numerusform>note: %n recipe builds on a PyTorch recipe of another repository. Where no cache has it, its build comes before, and its time is not in these.</numerusform>
            <numerusform>note: %n recipes build on a PyTorch recipe of another repository. Where no cache has it, its build comes before, and its time is not in these.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n builds at a time may need %1, and this machine has %2: the queue starts only what fits.</source>
        <translation>
            <numerusform>%n build at a time may need %1, and this machine has %2: the queue starts only what fits.</numerusform>
            <numerusform>%n builds at a time may need %1, and this machine has %2: the queue starts only what fits.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>follow   %n recipes, by what they import</source>
        <translation>
            <numerusform>follow   %n recipe, by what it imports</numerusform>
            <numerusform>follow   %n recipes, by what they import</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes follow what they import</source>
        <translation>
            <numerusform>%n recipe follows what it imports</numerusform>
            <numerusform>%n recipes follow what they import</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n follow what they import</source>
        <translation>
            <numerusform>%n follows what it imports</numerusform>
            <numerusform>%n follow what they import</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new recipes have errors that all others of their kind have already, %1. The first error: %2</source>
        <translation>
            <numerusform>%n new recipe has errors that all others of its kind have already, %1. The first error: %2</numerusform>
            <numerusform>%n new recipes have errors that all others of their kind have already, %1. The first error: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>They have %n more.</source>
        <comment>errors</comment>
        <translation>
            <numerusform>They have %n more.</numerusform>
            <numerusform>They have %n more.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes keep errors that they have on %1 too: %2.</source>
        <translation>
            <numerusform>%n recipe keeps errors that it has on %1 too: %2.</numerusform>
            <numerusform>%n recipes keep errors that they have on %1 too: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are not changed</source>
        <translation>
            <numerusform>%n recipe is not changed</numerusform>
            <numerusform>%n recipes are not changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are not created</source>
        <translation>
            <numerusform>%n recipe is not created</numerusform>
            <numerusform>%n recipes are not created</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes have it as a note, which has no fix</source>
        <translation>
            <numerusform>%n recipe has it as a note, which has no fix</numerusform>
            <numerusform>%n recipes have it as a note, which has no fix</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes would keep %1 in a text that cannot be changed: %2</source>
        <translation>
            <numerusform>%n recipe would keep %1 in a text that cannot be changed: %2</numerusform>
            <numerusform>%n recipes would keep %1 in a text that cannot be changed: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 names a version that is replaced, and is not changed in %n lines that may be about something else: %2.</source>
        <translation>
            <numerusform>%1 names a version that is replaced, and is not changed in %n line that may be about something else: %2.</numerusform>
            <numerusform>%1 names a version that is replaced, and is not changed in %n lines that may be about something else: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 is listed for %2 variants, and not for %n that others have: %3. Add a &quot;[[coverage]]&quot; to %4 for those that you want.</source>
        <translation>
            <numerusform>%1 is listed for %2 variants, and not for %n that others have: %3. Add a &quot;[[coverage]]&quot; to %4 for those that you want.</numerusform>
            <numerusform>%1 is listed for %2 variants, and not for %n that others have: %3. Add a &quot;[[coverage]]&quot; to %4 for those that you want.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are not changed and do not match the new settings: %1.</source>
        <translation>
            <numerusform>%n recipe is not changed and does not match the new settings: %1.</numerusform>
            <numerusform>%n recipes are not changed and do not match the new settings: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 counts or lists what the branch built before in %n lines, and is not changed there: %2. Add what is new.</source>
        <translation>
            <numerusform>%1 counts or lists what the branch built before in %n line, and is not changed there: %2. Add what is new.</numerusform>
            <numerusform>%1 counts or lists what the branch built before in %n lines, and is not changed there: %2. Add what is new.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines may be true of another row or instruction set only: %1.</source>
        <translation>
            <numerusform>%n line may be true of another row or instruction set only: %1.</numerusform>
            <numerusform>%n lines may be true of another row or instruction set only: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes are deleted in the working tree and stay as committed: %1.</source>
        <translation>
            <numerusform>%n recipe is deleted in the working tree and stays as committed: %1.</numerusform>
            <numerusform>%n recipes are deleted in the working tree and stay as committed: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 says in %n lines that this is another branch: %2.</source>
        <translation>
            <numerusform>%1 says in %n line that this is another branch: %2.</numerusform>
            <numerusform>%1 says in %n lines that this is another branch: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n logs take %1 (%2 compressed). Their size has no limit.</source>
        <translation>
            <numerusform>%n log takes %1 (%2 compressed). Its size has no limit.</numerusform>
            <numerusform>%n logs take %1 (%2 compressed). Their size has no limit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Removed %n waiting builds.</source>
        <translation>
            <numerusform>Removed %n waiting build.</numerusform>
            <numerusform>Removed %n waiting builds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n logs would be removed</source>
        <translation>
            <numerusform>%n log would be removed</numerusform>
            <numerusform>%n logs would be removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all %Ln recipes in both differ</source>
        <translation>
            <numerusform>the recipe in both differs</numerusform>
            <numerusform>all %Ln recipes in both differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all %Ln common recipes differ</source>
        <translation>
            <numerusform>the common recipe differs</numerusform>
            <numerusform>all %Ln common recipes differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%L1 of %Ln recipes in both differ</source>
        <translation>
            <numerusform>%L1 of %Ln recipe in both differs</numerusform>
            <numerusform>%L1 of %Ln recipes in both differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%L1 of %Ln common recipes differ</source>
        <translation>
            <numerusform>%L1 of %Ln common recipe differs</numerusform>
            <numerusform>%L1 of %Ln common recipes differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <comment>first of several</comment>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>probably %Ln recipes</source>
        <comment>missing</comment>
        <translation>
            <numerusform>probably %Ln recipe</numerusform>
            <numerusform>probably %Ln recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln recipes</source>
        <comment>missing</comment>
        <translation>
            <numerusform>%Ln recipe</numerusform>
            <numerusform>%Ln recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, probably %Ln more</source>
        <comment>missing recipes</comment>
        <translation>
            <numerusform>%1, probably %Ln more</numerusform>
            <numerusform>%1, probably %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>PyTorch for %L1 of %Ln recipes</source>
        <comment>missing</comment>
        <translation>
            <numerusform>PyTorch for %L1 of %Ln recipe</numerusform>
            <numerusform>PyTorch for %L1 of %Ln recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln builds failed on %1</source>
        <translation>
            <numerusform>%Ln build failed on %1</numerusform>
            <numerusform>%Ln builds failed on %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln errors on %1</source>
        <translation>
            <numerusform>%Ln error on %1</numerusform>
            <numerusform>%Ln errors on %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln recipes</source>
        <translation>
            <numerusform>%Ln recipe</numerusform>
            <numerusform>%Ln recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>PyTorch for %Ln recipes</source>
        <comment>missing</comment>
        <translation>
            <numerusform>PyTorch for %Ln recipe</numerusform>
            <numerusform>PyTorch for %Ln recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The queue has %n other builds.</source>
        <translation>
            <numerusform>The queue has %n other build.</numerusform>
            <numerusform>The queue has %n other builds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n builds would fail again, so they are left out: %1. Correct their recipes, or name them.</source>
        <translation>
            <numerusform>%n build would fail again, so it is left out: %1. Correct its recipe, or name it.</numerusform>
            <numerusform>%n builds would fail again, so they are left out: %1. Correct their recipes, or name them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The branch has %n recipes. Write the numbers of all parts.</source>
        <translation>
            <numerusform>The branch has %n recipe. Write the numbers of all parts.</numerusform>
            <numerusform>The branch has %n recipes. Write the numbers of all parts.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other builds of the queue come before.</source>
        <translation>
            <numerusform>%n other build of the queue comes before.</numerusform>
            <numerusform>%n other builds of the queue come before.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n recipes changed since, so the current commit of their branch is built: %1.</source>
        <translation>
            <numerusform>%n recipe changed since, so the current commit of its branch is built: %1.</numerusform>
            <numerusform>%n recipes changed since, so the current commit of their branch is built: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>waits for a slot (%n at a time)</source>
        <translation>
            <numerusform>waits for a slot (%n at a time)</numerusform>
            <numerusform>waits for a slot (%n at a time)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>waits for a slot on %1 (%n at a time)</source>
        <translation>
            <numerusform>waits for a slot on %1 (%n at a time)</numerusform>
            <numerusform>waits for a slot on %1 (%n at a time)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Added %n builds, checks and publications of this machine.</source>
        <translation>
            <numerusform>Added %n build, check or publication of this machine.</numerusform>
            <numerusform>Added %n builds, checks and publications of this machine.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The shared list has %1 builds from %n machines; %2 of them, by others, are new here.</source>
        <translation>
            <numerusform>The shared list has %1 builds from %n machine; %2 of them, by others, are new here.</numerusform>
            <numerusform>The shared list has %1 builds from %n machines; %2 of them, by others, are new here.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tmx::WorkController</name>
    <message numerus="yes">
        <source>%n recipes</source>
        <translation>
            <numerusform>%n recipe</numerusform>
            <numerusform>%n recipes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Wrote README.md on %n branches, each as one commit.</source>
        <translation>
            <numerusform>Wrote README.md on %n branch, as one commit.</numerusform>
            <numerusform>Wrote README.md on %n branches, each as one commit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Committed to %n branches: %1.</source>
        <translation>
            <numerusform>Committed to %n branch: %1.</numerusform>
            <numerusform>Committed to %n branches: %1.</numerusform>
        </translation>
    </message>
</context>
</TS>
