package import PinholeFilter
package import PinholeModel

/// A change of the fields of a message.
package enum FieldEdit: Sendable, Equatable {
    /// The field gets this value, whether it existed or not.
    case set(FieldLine)
    /// Another line is added.
    case add(FieldLine)
    /// Every field with this name (in lower case) is removed.
    case remove(String)
    /// Matches in the values of the fields with this name (in lower case) are replaced.
    case replace(String, Substitution)

    /// The longest value that a replacement may make.
    static let valueLimit = 16 << 10

    /// Applies the change to `fields`.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - isLowercased: Whether field names are written in lower case, as HTTP/2 requires.
    /// - Returns: Whether anything was changed.
    func apply(to fields: inout HeaderFields, isLowercased: Bool) -> Bool {
        switch self {
        case .set(let line): return fields.set(line, isLowercased: isLowercased)
        case .add(let line):
            fields.append(isLowercased ? line.lowercased : line.name, line.value)
            return true
        case .remove(let name):
            guard fields.contains(name) else { return false }
            fields.removeAll(named: name)
            return true
        case .replace(let name, let substitution):
            return fields.mapValues(of: name) { value in
                let made = substitution.replacing(in: Array(value), limit: Self.valueLimit)
                return made.flatMap { FieldText.isValue($0) ? $0 : nil }
            }
        }
    }
}

extension HeaderFields {
    /// Makes `line` the only field of its name, at the place of the first field with that name.
    ///
    /// - Returns: Whether anything was changed.
    package mutating func set(_ line: FieldLine, isLowercased: Bool) -> Bool {
        let same = indices.filter { isNamed(line.lowercased, at: $0) }
        if same.count == 1, let only = same.first, value(at: only).elementsEqual(line.value.utf8) {
            return false
        }
        guard let first = same.first else {
            append(isLowercased ? line.lowercased : line.name, line.value)
            return true
        }
        let rest = same.dropFirst()
        self = rebuilt { index in
            if index == first { return .replaced(Array(line.value.utf8)) }
            return rest.contains(index) ? .removed : .kept
        }
        return true
    }

    /// Replaces the values of the fields called `name` for which `change` returns a new value.
    ///
    /// - Returns: Whether a value was replaced.
    mutating func mapValues(of name: String, _ change: (ArraySlice<UInt8>) -> [UInt8]?) -> Bool {
        guard contains(name) else { return false }
        var isChanged = false
        self = rebuilt { index in
            guard isNamed(name, at: index), let value = change(value(at: index)) else { return .kept }
            isChanged = true
            return .replaced(value)
        }
        return isChanged
    }

    private enum Fate {
        case kept
        case removed
        case replaced([UInt8])
    }

    /// Returns the lines in their order with some values replaced.
    ///
    /// All other lines are kept byte for byte.
    private func rebuilt(_ fate: (Int) -> Fate) -> HeaderFields {
        var fields = HeaderFields()
        fields.reserveCapacity(byteCount + 64)
        for index in indices {
            switch fate(index) {
            case .kept: fields.appendField(of: self, at: index)
            case .removed: break
            case .replaced(let value):
                fields.append(String(decoding: name(at: index), as: UTF8.self), value)
            }
        }
        return fields
    }
}
