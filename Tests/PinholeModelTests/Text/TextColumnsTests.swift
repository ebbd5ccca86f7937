import Testing

@testable import PinholeModel

@Suite("TextColumns")
struct TextColumnsTests {
    @Test(
        "counts the columns that a terminal uses",
        arguments: [
            ("plain", 5), ("", 0), ("é…“”", 4), ("日本語", 6), ("ＡＢ", 4), ("한국", 4),
            // Decomposed: a letter and its mark; the three letters of a Korean syllable.
            ("e\u{301}", 1), ("\u{1112}\u{1161}\u{11ab}", 2),
            // Pictures: alone, chosen by a selector, a flag, a hand with the colour of its skin.
            ("🙂", 2), ("❤\u{fe0f}", 2), ("❤", 1), ("🇩🇪", 2), ("👋🏽", 2),
            // Devanagari: the vowel sign after its consonant has a column of its own, the one above it has none.
            ("\u{915}\u{940}", 2), ("\u{915}\u{947}", 1), ("█░✓", 3), ("\u{20000}", 2), ("〿", 1),
        ]
    )
    func count(text: String, columns: Int) {
        #expect(TextColumns.count(text) == columns)
    }

    @Test("cuts between characters, and never takes more columns than there are")
    func cut() {
        #expect(TextColumns.prefix("日本語", 4) == "日本")
        #expect(TextColumns.prefix("日本語", 5) == "日本")
        #expect(TextColumns.prefix("日本語", 6) == "日本語")
        #expect(TextColumns.prefix("日本語", 1) == "")
        #expect(TextColumns.suffix("日本語", 5) == "本語")
        #expect(TextColumns.suffix("a日", 3) == "a日" && TextColumns.suffix("a日", 2) == "日")
        #expect(TextColumns.prefix("e\u{301}e\u{301}", 1) == "e\u{301}")
        #expect(TextColumns.suffix("abc", 0) == "")
    }
}
