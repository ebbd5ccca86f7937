/// A day that a student wrote, in the notations of people and tools.
enum AnsweredDay {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// The months that German abbreviates in another way.
    private static let german = ["mär": 3, "mrz": 3, "mai": 5, "okt": 10, "dez": 12]

    /// Returns the day as YYYY-MM-DD; `nil` if the text is no day.
    ///
    /// Known are 2027-6-10, 10.6.2027, 10 June 2027, and “notAfter=Jun 10 12:00:00 2027 GMT”.
    static func text(_ answer: String) -> String? {
        let text = answer.split(separator: "=").last.map(String.init) ?? answer
        // A time of day has colons, and tells nothing about the day.
        let words = text.split { $0.isWhitespace || $0 == "," || $0 == "T" && text.contains("-") }
            .filter { !$0.contains(":") && $0 != "GMT" && $0 != "UTC" && $0 != "Z" }
        let parts = words.flatMap { $0.split { ".-/".contains($0) } }
        guard parts.count == 3 else { return nil }
        var month: Int?
        var numbers: [Int] = []
        for part in parts {
            if let number = Int(part) {
                numbers.append(number)
            } else {
                let name = String(part.lowercased().prefix(3))
                month = months.firstIndex(of: name).map { $0 + 1 } ?? german[name]
            }
        }
        if let month, numbers.count == 2 {
            return numbers[0] > 31 ? day(numbers[0], month, numbers[1]) : day(numbers[1], month, numbers[0])
        }
        guard numbers.count == 3 else { return nil }
        // A year in front makes the order year, month, day; otherwise German writes day, month, year.
        if numbers[0] > 31 { return day(numbers[0], numbers[1], numbers[2]) }
        return text.contains(".") ? day(numbers[2], numbers[1], numbers[0]) : nil
    }

    private static func day(_ year: Int, _ month: Int, _ day: Int) -> String? {
        guard 1000...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }
}
