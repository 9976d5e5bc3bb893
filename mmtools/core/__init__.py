"""
What is true, without I/O: pure functions and small values, deterministic and total.

Text and edits
    `text` bytes ↔ text and back; `forms` how their lines end; `lines` windows of lines; `reading` those of a file;
    `shown_lines` how many fit into an answer; `edits` resolves replacements,
    `occurrences` how often, `changes` which bytes;
    `nearest` explains why a text was not found: in `hints`, from `candidates`, `confusables`, `similarity` and
    `copy_errors`, with `differences`;
    `diffs` numbered hunks, by `changed_lines`, `alignment` and `myers`; `truncation` keeps head and tail.

Files and commands
    `paths` path arithmetic; `near_paths` which one may be meant; `freshness` what was read and is still so, by `stamps` and content, and by `writers` who
    changed it; `environment` what a command sees;
    `escapes` terminal sequences; `visibility` what nobody sees; `skills` the catalogue; `front_matter` what stands above a text;
    `media` the kind of binary data.

Search and the web
    `globs` what a pattern of paths means; `search_answers` how finds are shown and cut; `remote_names` what other
    programs' tools are called; `web` addresses, encodings and the visible text of pages.

Calls
    `loop` repeated calls; `runaway` repeating arguments; `counters` the recap; `digests` canonical JSON;
    `metrics` what observations add up to.

For people
    `units` numbers and how many; `screen_text` strings that somebody else chose; `acts` what a request would do, in short, and
    `change_text` what becomes of a file.

Nothing here opens a file or reads a clock. Nothing holds a sentence for a model, but for `loop` and `runaway`: those two
stand alone, with the texts of the contract.
"""
