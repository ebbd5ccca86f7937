/// A place of a policy file that counts as proven though the file does not decide it: `FILE:LINE`.
enum AcceptedPlace {
    /// Whether a text names a file and a line.
    static func isPlace(_ text: String) -> Bool {
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex else { return false }
        let digits = text[text.index(after: colon)...]
        return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int(digits).map { $0 > 0 } == true
    }
}
