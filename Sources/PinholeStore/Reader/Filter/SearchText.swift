import PinholeModel

/// A text to search for in many texts, with ASCII letters in any case.
final class SearchText {
    /// The text in lower case.
    let bytes: [UInt8]
    private let first: UInt8
    /// The bit in which the two cases of the first byte differ; 0 if it is not a letter.
    private let difference: UInt8

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.map(CaseFolding.lower)
        first = self.bytes.first ?? 0
        difference = (0x61...0x7a).contains(first) ? 0x20 : 0
    }

    /// Whether `text` contains the text.
    func isIn(_ text: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        let (first, difference) = (first, difference)
        var place = 0
        let places = text.count - bytes.count + 1
        while place < places {
            if text[place] | difference == first, stands(bytes.indices, in: text, at: place) { return true }
            place += 1
        }
        return false
    }

    /// Whether a part of the text stands at a place of another text.
    func stands(_ part: Range<Int>, in text: UnsafeRawBufferPointer, at place: Int) -> Bool {
        guard place >= 0, text.count - place >= part.count else { return false }
        let start = place - part.lowerBound
        for index in part where CaseFolding.lower(text[start + index]) != bytes[index] { return false }
        return true
    }
}
