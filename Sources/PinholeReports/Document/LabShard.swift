package import PinholeLab

/// A part of a run that is divided among machines: `2/5` is the second of five.
///
/// A scenario belongs to exactly one part, by its place in the catalogue; neighbours go to different parts, so
/// that parts are of nearly the same size and slow groups are spread.
package struct LabShard: Sendable, Hashable, CustomStringConvertible {
    /// The number of the part, from 1.
    package let index: Int
    /// The number of parts.
    package let count: Int

    /// More parts than that are a slip of the keyboard.
    private static let most = 1000

    private init(index: Int, count: Int) {
        self.index = index
        self.count = count
    }

    /// Reads `i/n`.
    ///
    /// - Throws: ``LabFailure`` if it is something else, or if there is no such part.
    package init(_ text: String) throws(LabFailure) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Self.number(parts[0]), let count = Self.number(parts[1]) else {
            throw LabFailure("expected a part of a run as in “2/5” (the second of five), found “\(text)”")
        }
        guard (1...Self.most).contains(count) else {
            throw LabFailure("expected at most \(Self.most) parts and at least one, found “\(text)”")
        }
        guard (1...count).contains(index) else {
            throw LabFailure("expected a part from 1/\(count) to \(count)/\(count), found “\(text)”")
        }
        self.init(index: index, count: count)
    }

    /// Every part of a run that is divided into so many.
    static func all(_ count: Int) -> [LabShard] {
        (0..<count).map { LabShard(index: $0 + 1, count: count) }
    }

    /// The part as `i/n`.
    package var description: String { "\(index)/\(count)" }

    /// The elements that belong to this part.
    ///
    /// - Parameter elements: All of them, in the same order on every machine.
    /// - Returns: Every element is in exactly one part's share; shares differ by one element at most.
    package func share<Element>(of elements: [Element]) -> [Element] {
        elements.enumerated().filter { $0.offset % count == index - 1 }.map(\.element)
    }

    /// The number that is written with these digits alone: no sign, no space.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
