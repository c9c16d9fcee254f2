"""FICT850–853: the server of `fictc explore`."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT850",
        "explore-address",
        "cannot listen on {host}, port {port}: {reason}",
        "`fictc explore` serves its page on an address of this machine. Without `--port` it takes any free port.",
        bad="$ fictc explore stores/ewt --port 80",
        good="$ fictc explore stores/ewt",
    ),
    Code(
        "FICT851",
        "explore-name",
        "cannot save as `{name}`: {reason}",
        "The page of `fictc explore --save FOLDER` writes a query to a new file in this folder, with the name of the "
        "filter.",
        bad="save as: Passive voice",
        good="save as: passive-voice",
    ),
    Code(
        "FICT852",
        "explore-condition",
        "cannot make the condition `{name}`: {reason}",
        "The tab Condition of `fictc explore` writes a condition with the query as its filter. `remove` and "
        "`keep` need a filter, `mask` and `drop` a query that is a whole file with this action and no other, and "
        "`rewrite` a file with a rewrite. A condition can be added to a manifest if its conditions are `[[condition]]` "
        "tables.",
        bad="mask: V -[nsubj]-> S",
        good='mask: fict 1  filter f { match { V -[nsubj]-> S } mask node(S) with "<gap>" }',
    ),
    Code(
        "FICT853",
        "explore-request",
        "the page asks for {found}, but {reason}",
        "The page of `fictc explore` names the sentence, the words and the bindings of a match that it shows. They may "
        "belong to another query, or to another store, if the query was edited or the server was started again after "
        "the page had shown the match.",
        bad="the match V:4 S:3 of `V -[nsubj]-> S`, after the query became `V:VERB`",
        good="the match V:4 of `V:VERB`, after another search",
    ),
)
