import PinholeFiles

/// The lessons that a teacher chose for a class.
package struct LessonChoice: Sendable, Equatable, CustomStringConvertible {
    /// The numbers of the lessons, from the lowest.
    package let numbers: [Int]

    /// The number of lessons that exist.
    package static let count = 12

    /// The unit of eight lessons.
    package static let standard = LessonChoice(Array(1...8))
    /// Every lesson that exists.
    package static let all = LessonChoice(Array(1...count))

    private init(_ numbers: [Int]) { self.numbers = numbers }

    /// Reads numbers and ranges with commas between them, such as “1-8,10”; `nil` if a part is no lesson, or no range of
    /// lessons.
    package init?(_ text: String) {
        var numbers: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map {
                Self.number($0)
            }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
                1 <= first, first <= last, last <= Self.count
            else { return nil }
            numbers.formUnion(first...last)
        }
        self.numbers = numbers.sorted()
    }

    /// Reads a number with white space around it; `nil` for anything else, such as two numbers.
    private static func number(_ text: Substring) -> Int? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let word = words.first, words.count == 1, word.allSatisfy({ ("0"..."9").contains($0) }) else {
            return nil
        }
        return Int(word)
    }

    /// Returns the lessons that the folder of a class keeps.
    ///
    /// - Returns: The lessons; `nil` if the folder keeps none.
    /// - Throws: ``ClassFailure`` if the file is damaged.
    package static func kept(in directory: String) throws(ClassFailure) -> LessonChoice? {
        let path = "\(directory)/\(file)"
        guard File.exists(at: path) else { return nil }
        guard let choice = File.text(of: path).flatMap({ LessonChoice($0) }) else {
            throw ClassFailure(
                "\(path): expected lessons from 1 to \(count), such as 1-8,10",
                remedy: "correct the file, or choose the lessons: --lessons 1-8"
            )
        }
        return choice
    }

    /// Keeps the lessons in the folder of a class, for its next start and for its grade.
    package func keep(in directory: String) {
        try? ClassFolder(directory).write("\(self)\n", to: Self.file)
    }

    /// The name of the file.
    static let file = "lessons.txt"

    /// The numbers with ranges, such as “1-8,10”.
    package var description: String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        }.joined(separator: ",")
    }
}
