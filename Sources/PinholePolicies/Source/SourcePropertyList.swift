import PinholeSource

/// Makes property lists of dictionaries and arrays in source code.
struct SourcePropertyList {
    /// The expressions whose values the code does not show, each with its line.
    private(set) var unknown: [(code: String, line: Int)] = []
    /// The key of a property list for a name in the code.
    private let key: (String) -> String

    init(key: @escaping (String) -> String = { $0 }) { self.key = key }

    /// Returns the value in the form of a property list; `nil` if it is not written out.
    mutating func converted(_ value: SourceValue, _ line: Int) -> PropertyListValue? {
        switch value {
        case .text(let text):
            guard let whole = text.whole else { break }
            return .string(whole)
        case .boolean(let truth): return .boolean(truth)
        case .integer(let number): return .integer(number)
        case .null, .closure: return nil
        case .collection(let elements):
            var members: [String: PropertyListValue] = [:]
            var values: [PropertyListValue] = []
            for element in elements {
                guard let value = converted(element.value, element.line) else { continue }
                guard element.key != nil else {
                    values.append(value)
                    continue
                }
                if let name = element.name { members[key(name)] = value }
            }
            return members.isEmpty ? .array(values) : .dictionary(members)
        case .call, .other: break
        }
        unknown.append((value.code, line))
        return nil
    }
}
