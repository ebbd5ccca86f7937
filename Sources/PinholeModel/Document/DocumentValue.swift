/// Readers of single values; each throws ``DocumentFailure`` with the path if the value is of another kind.
package enum DocumentValue {
    /// The largest number of possible values that a message lists.
    private static let mostChoices = 6

    /// Reads a text.
    package static func string(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        guard case .string(let text) = value else {
            throw value.failure(at: path, expected: "a text in quotes", remedy: quoted(value))
        }
        return text
    }

    /// Reads a text that is not empty.
    package static func word(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        let text = try string(value, path)
        guard !text.isEmpty else {
            throw DocumentFailure(path: path, expected: "a text that is not empty", found: "“”")
        }
        return text
    }

    /// Reads `true` or `false`.
    package static func boolean(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Bool {
        guard case .boolean(let flag) = value else {
            throw value.failure(at: path, expected: "true or false", remedy: unquoted(value))
        }
        return flag
    }

    /// Returns the remedy for a number or a word of JSON in quotes; empty for any other value.
    private static func unquoted(_ value: JSONValue) -> String {
        guard case .string(let text) = value, let meant = try? JSONValue(parsing: Array(text.utf8)) else {
            return ""
        }
        switch meant {
        case .integer, .number, .boolean, .null: return "leave the quotes out: \(text)"
        case .string, .array, .object: return ""
        }
    }

    /// Returns the remedy for a number or a word of JSON in the place of a text; empty for any other value.
    private static func quoted(_ value: JSONValue) -> String {
        switch value {
        case .integer(let number): "put it in quotes: \"\(number)\""
        case .boolean(let flag): "put it in quotes: \"\(flag)\""
        case .number, .null, .string, .array, .object: ""
        }
    }

    /// Returns a reader of a whole number in `range`.
    package static func integer(
        in range: ClosedRange<Int64>
    ) -> (JSONValue, String) throws(DocumentFailure) -> Int64 {
        { (value, path) throws(DocumentFailure) in
            guard case .integer(let number) = value, range.contains(number) else {
                throw value.failure(
                    at: path,
                    expected: "a whole number of \(range.lowerBound) to \(range.upperBound)",
                    remedy: unquoted(value)
                )
            }
            return number
        }
    }

    /// Returns a reader of a number of seconds in `range`.
    package static func seconds(
        in range: ClosedRange<Double>
    ) -> (JSONValue, String) throws(DocumentFailure) -> Duration {
        { (value, path) throws(DocumentFailure) in
            let seconds: Double? =
                switch value {
                case .integer(let number): Double(number)
                case .number(let number): number
                default: nil
                }
            guard let seconds, range.contains(seconds) else {
                throw value.failure(
                    at: path,
                    expected: "seconds, a number of \(range.lowerBound) to \(Int(range.upperBound))",
                    remedy: unquoted(value)
                )
            }
            return .milliseconds(Int64((seconds * 1000).rounded()))
        }
    }

    /// Returns a reader that accepts `null` as `nil`, and reads any other value by `parse`.
    package static func optional<Value>(
        _ parse: @escaping (JSONValue, String) throws(DocumentFailure) -> Value
    ) -> (JSONValue, String) throws(DocumentFailure) -> Value? {
        { (value, path) throws(DocumentFailure) in value == .null ? nil : try parse(value, path) }
    }

    /// Returns a reader of a list whose elements `parse` reads.
    package static func list<Element>(
        _ parse: @escaping (JSONValue, String) throws(DocumentFailure) -> Element
    ) -> (JSONValue, String) throws(DocumentFailure) -> [Element] {
        { (value, path) throws(DocumentFailure) in
            guard case .array(let values) = value else {
                throw DocumentFailure.noList(value, path)
            }
            var elements: [Element] = []
            for (index, value) in values.enumerated() {
                elements.append(try parse(value, "\(path)[\(index)]"))
            }
            return elements
        }
    }

    /// Returns a reader of a raw value of an enumeration.
    package static func choice<Choice: RawRepresentable & CaseIterable>(
        _: Choice.Type
    ) -> (JSONValue, String) throws(DocumentFailure) -> Choice where Choice.RawValue == String {
        { (value, path) throws(DocumentFailure) in
            if case .string(let text) = value,
                let choice = Choice.allCases.first(where: { $0.rawValue == text })
            {
                return choice
            }
            let all = Choice.allCases.map(\.rawValue)
            var choices = all.prefix(mostChoices).map { "“\($0)”" }.joined(separator: " or ")
            if all.count > mostChoices { choices += " or one of \(all.count - mostChoices) more" }
            var nearest: String?
            if all.count > 2, case .string(let text) = value {
                nearest = EditDistance.nearest(to: text, in: all)
            }
            throw value.failure(at: path, expected: choices, remedy: nearest.map(Remedy.write) ?? "")
        }
    }

    /// Returns a reader of a text that `make` converts; the error of `make` has the expectation for the message.
    package static func parsed<Value>(
        _ make: @escaping (String) throws(AddressFailure) -> Value
    ) -> (JSONValue, String) throws(DocumentFailure) -> Value {
        { (value, path) throws(DocumentFailure) in
            let text = try string(value, path)
            do throws(AddressFailure) {
                return try make(text)
            } catch {
                throw DocumentFailure(
                    path: path,
                    expected: error.expected,
                    found: TerminalText.quoted(error.text)
                )
            }
        }
    }
}
