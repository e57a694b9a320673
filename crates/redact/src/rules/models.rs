//! Model providers, and tools around them.

use crate::check::is_jumbled;
use crate::contexts::has_digits_and_letters;
use crate::pattern::Part::{Run, Text};
use crate::pattern::{ALNUM, HEX, LOWER_ALNUM, URL64, WORD};
use crate::rule::{Rule, is_versioned, token};

/// Whether a key contains the marker that all current keys have in the middle.
/// Prefixes alone also end words: `task-proj-…`.
fn has_mark_of_openai(body: &str) -> bool {
    body.contains("T3BlbkFJ")
}

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token("anthropic-key", &["sk-ant-"], &[Run(URL64, 32, 200)]).anywhere_if(is_versioned)
        .with(&["sk|-ant-api03-F2ewQmH4VfFqlDjywzVjBxUrloUgrGmODPYOjK6SwmGqMyhgKWqhmHx0Tn8xbrdB-FvBzI6e52lxaTou_HW5DwfOJCcpFAA", "sk|-ant-oat01-Azybt5aMInTHyvlBmem3uLYhRXl5Lb2Ei37ngCBdkQjBEmhVlVPngCNhFuPLbGWcfwcjGFQ2ccnRxE7izfLIHjWW5HCFcAA", "sk|-ant-admin01-E7JPJKVzh9DaoT55AnQbhvdhU0u6s1ujMjkOZz0tEC_4KTgVgG0_j1HZOL37", "Bearer«sk|-ant-api03-F2ewQmH4VfFqlDjywzVjBxUrloUgrGmODPYOjK6SwmGqMyhgKWqhmHx0Tn8xbrdB-FvBzI6e52lxaTou_HW5DwfOJCcpFAA»"], &["sk|-ant-api03-...", "sk|-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "task|-ant-hill-5fY9bPFtxVaUUDI_rT9QfIgSqususH2PzA71RCNC"]),
    token("openai-key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], &[Run(URL64, 40, 200)]).proven(has_digits_and_letters).anywhere_if(has_mark_of_openai)
        .with(&["sk|-proj-lYWXAP5cXFn3_mtyLeG0JINeHGGDim28XEsd0LrQ", "sk|-svcacct-xGw39xK9Mw2IR3Bw2L67uWcH9wIci9WVumzHYwQp", "sk|-admin-a37iUHnQQBSo0bggwUm03KE27TxuudVq9tdtscUe", "Bearer«sk|-proj-FTEYkPYkFMVnccV-d9uLgaQYYMhT3BlbkFJS-nXAckGLsuvV»"], &["zsk|-proj-FTEYkPYkFMVnccV-d9uLgaQYYMhS-nXAckGLsuvV", "sk|-proj-O-TiqtIG89DfYnXX0P94", "sk|-proj-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("openai-legacy-key", &["T3BlbkFJ"], &[Run(ALNUM, 20, 20)]).after(URL64, 23, 23)
        .with(&["sk|-xrc1xYE8cMSmqkZdmFDcT3BlbkFJyXgcNV0YfZkLUSw32Gj0"], &["d3|NRUJ2Vi4kT3BlbkFJ5URyRExZfp", "d3|NRUJ2Vi4kXEyX2AHI289UT3BlbkFJQO0xqS7OKuPRO5OU7h0ozzzzzzzzzzzzzzzzzzzz"]),
    token("openrouter-key", &["sk-or-v1-"], &[Run(HEX, 64, 64)]).anywhere_if(is_jumbled)
        .with(&["sk|-or-v1-73a0d5025775aac1bd4f6906ad6e791ac7dc223393f1216147dc78b4ae5e8e19", "z«sk|-or-v1-67f9b04237405f508bc6f087a4d8baa409f072fe6f43e30a56c2069235eb36c8»"], &["sk|-or-v1-68c3d78cd3d5548446f56754c2fba272", "sk|-or-v1-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("model-provider-key", &["sk-"], &[Run(ALNUM, 32, 64)]).proven(has_digits_and_letters)
        .with(&["sk|-BXx11H6AAZCM56NnfXBqxZlnYKpArzyR"], &["sk|-qJhKjrPLgJGTvIY2", "zsk|-IaNHyWJPEXZ2jMddaApsWerOueLJ4vOr", "s|k-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("hugging-face-token", &["hf_"], &[Run(ALNUM, 34, 34)])
        .with(&["hf|_svmw1FuayRjj6vu44UassmuwhxloD8t1Ez"], &["hf|_FBCRRflI2KZ9yBA4V", "zhf|_5ni9mNkkLqvCOQ098ZdVneplo8ZAsBAxZ2", "h|f_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("hugging-face-org-token", &["api_org_"], &[Run(ALNUM, 34, 34)])
        .with(&["ap|i_org_LjnqFvioWwnchxVeevhbvLz7YduOT4qwOI"], &["ap|i_org_9euht06pgKWKKfwSD", "zap|i_org_JgO47NU6mvQeu5VUungS9Wv83RaITcAvTC", "ap|i_org_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("groq-key", &["gsk_"], &[Run(ALNUM, 52, 52)]).anywhere()
        .with(&["gs|k_iT6ZiCS3gTEaWfF8DwWBZt8u09dJOymjiRXY3Xkt4eogs9gNLTV7", "z«gs|k_8fwZdUTsa6ktkxoObb9hZp0NDu64M5rXaeLU6ef3k5F4NoZxm6JI»"], &["gs|k_2Qx8yw6uBLsRk5RkI57p6l3fgC", "g|sk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("xai-key", &["xai-"], &[Run(ALNUM, 80, 80)]).anywhere()
        .with(&["xa|i-EzZ3lTm7EOPMQuZfCv7ddI80D8DNSI0Z04bgAgdTW76OlVfzCR0bCcDqNwx276ebF35L6igKOoypmuZ2", "z«xa|i-BWf4AsS3nHrtAoCErb3BRkBu0J91TwgkyCvQTtWE5i7g8w1yTeoMQvfmlg8RjVHYnfj4BED11SUHjlDs»"], &["xa|i-gHjaoneO5HtBO67dxgS2jEFAvXvzIWqu1xmi2t3X", "x|ai-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("perplexity-key", &["pplx-"], &[Run(ALNUM, 48, 56)]).anywhere()
        .with(&["pp|lx-Yvp0kmZc5D1wzumXfMa5p1nIoC6FDw22osxR1C92m7HV5yNa", "z«pp|lx-cJRXTWFZP5htZPqlH9bTBJm074XzSZNDsUY6CAkbMlW9VtJ2»"], &["pp|lx-VGSFdV9N64OTByoXnv5kJWbO", "pp|lx-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("replicate-token", &["r8_"], &[Run(ALNUM, 37, 37)])
        .with(&["r8|_RyKV9vykgGjJetAhWqjJyeaaiunGo4Mhu3hUN"], &["r8|_v8oYzF1Hmo2gwW4Fna", "zr8|_Ej656v9TNk3JYDruPGdxBb4Iu8GjiS7AQwRJt", "r|8_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("fireworks-key", &["fw_"], &[Run(ALNUM, 22, 26)]).proven(has_digits_and_letters)
        .with(&["fw|_vSfisP7FaCLFhiRQyRMSRe"], &["fw|_H9y3vGgRePG", "zfw|_g0qnnz4MUAHhvrywUs43m4", "f|w_aaaaaaaaaaaaaaaaaaaaaa"]),
    token("langsmith-key", &["lsv2_pt_", "lsv2_sk_"], &[Run(HEX, 32, 32), Text("_"), Run(HEX, 10, 10)]).anywhere_if(is_jumbled)
        .with(&["ls|v2_pt_1a0a8633b923e7b81726cd9bba602f26_bf0661a54b", "ls|v2_sk_4b6e5a2af69f111ea25bcb26ee8f4642_cd11d4148d", "z«ls|v2_pt_3eddac8164b6b1bb59d6a38fda97ebdd_293f4b55a7»"], &["ls|v2_pt_775e4822fde2bfb3_22c2b", "ls|v2_pt_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_aaaaaaaaaa"]),
    token("nvidia-key", &["nvapi-"], &[Run(URL64, 60, 70)]).anywhere()
        .with(&["nv|api-DLw2qg8uLWlT3goLAyEThSi-zpfzSBz59qjF7aj_qMnDo6trh4a-JeYEO4R5", "z«nv|api-NI5AnM6p4hk2N2lseTm1Q_5rYarfP9Xs5WmNZaSBX5OLux-7fiH1_WOBTr41»"], &["nv|api-uXcgb4sbhLQ3KeRXnQneUbZJLcbnKX", "nv|api-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("cerebras-key", &["csk-"], &[Run(LOWER_ALNUM, 48, 48)])
        .with(&["cs|k-cu9ubdlwfsqjvp0qpeurunv0dmiyiad45dm95x92hwkbjcsz"], &["cs|k-acg07dmk5wu8ms7vw4av4fxa", "zcs|k-e77x05zsjzbxbqb594xq2itwz1xh4ogu4x9aua0knz28c423", "c|sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("pinecone-key", &["pcsk_"], &[Run(WORD, 60, 80)]).anywhere()
        .with(&["pc|sk_adk7eKclD1k4NnAXQn5nSiwmEfXIYpBKZBg8ejQMR19EQyhJ5l0uwuzLN4w9", "z«pc|sk_gWBIgvdaetVDnLU0LZhhzM0XKER7JxZvuGMiwWzDs4aQvU8jgJ7TpU14PRgf»"], &["pc|sk_2PyHctpVYPWZZkAaLxGZpDvxwydYgv", "pc|sk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("tavily-key", &["tvly-"], &[Run(URL64, 32, 50)])
        .with(&["tv|ly-kHz9n0UBTqIX79AwWj4CQgwTLVI1eb0x"], &["tv|ly-xBDREfndALJ8dZyO", "ztv|ly-Qd9voE95avHtgFUmhbuYa15eVhygIE6N", "tv|ly-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("jina-key", &["jina_"], &[Run(URL64, 56, 64)])
        .with(&["ji|na_FWgUAAzne3ugK2EAC-8vr1wYjfGbhfd5-uCePaY5fKsg5cSiB_tPZrNm"], &["ji|na_HmY-gQsvE0Fz3qBxvPi02t6aASi9", "zji|na_7Hq-xzrrW0Ojq7WW015SfxQEAJr_BXvDLEkBMeEiYRUIKXROKmLh07pE", "ji|na_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("wandb-key", &["wandb_v1_"], &[Run(URL64, 60, 100)]).anywhere()
        .with(&["wa|ndb_v1_tknvu95arom4bAj8khbMCc0AH54cgpMzrejg4Xwk3pw5YKV1kKgRW_4o-QqG", "z«wa|ndb_v1_O3sDrWsgarcNVl-bIe3nPCihigobxw_CPbC71E9ARa9eHqimsRiInMS0aR72»"], &["wa|ndb_v1_egneCFu3eooP5bZL6na93OeuJw3XwT", "wa|ndb_v1_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
];
