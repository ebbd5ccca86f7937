import PinholeModel
import PinholeTrust

/// Property lists in XML.
enum XMLPropertyList {
    /// Reads the value in `<plist>`.
    static func read(_ root: MarkupElement) throws(PolicyFailure) -> PropertyListValue {
        guard root.name == "plist" else {
            throw PolicyFailure("line \(root.line): expected <plist>, found <\(root.name)>")
        }
        guard root.children.count == 1, let child = root.children.first else {
            throw PolicyFailure(
                "line \(root.line): expected one value in <plist>, found \(root.children.count)"
            )
        }
        return try value(of: child)
    }

    private static func value(of element: MarkupElement) throws(PolicyFailure) -> PropertyListValue {
        switch element.name {
        case "dict": return try dictionary(element)
        case "array":
            var values: [PropertyListValue] = []
            for child in element.children { values.append(try value(of: child)) }
            return .array(values)
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: return try scalar(element)
        }
    }

    private static func dictionary(_ element: MarkupElement) throws(PolicyFailure) -> PropertyListValue {
        var members: [String: PropertyListValue] = [:]
        var rest = element.children[...]
        while let key = rest.popFirst() {
            guard key.name == "key" else {
                throw PolicyFailure("line \(key.line): expected <key> in <dict>, found <\(key.name)>")
            }
            guard let child = rest.popFirst(), child.name != "key" else {
                throw PolicyFailure(
                    "line \(key.line): expected a value after <key>\(DocumentPath.cut(key.text))</key>"
                )
            }
            guard members.updateValue(try value(of: child), forKey: key.text) == nil else {
                throw PolicyFailure(
                    "line \(key.line): expected each key once, found “\(DocumentPath.cut(key.text))” again; remove one"
                )
            }
        }
        return .dictionary(members)
    }

    private static func scalar(_ element: MarkupElement) throws(PolicyFailure) -> PropertyListValue {
        guard element.children.isEmpty else {
            throw PolicyFailure("line \(element.line): expected no element in <\(element.name)>")
        }
        let found = {
            PolicyFailure("line \(element.line): “\(DocumentPath.cut(element.text))” is no <\(element.name)>")
        }
        switch element.name {
        case "string": return .string(element.text)
        case "integer":
            guard let number = Int64(element.trimmedText) else { throw found() }
            return .integer(number)
        case "real":
            guard let number = Double(element.trimmedText) else { throw found() }
            return .real(number)
        case "date":
            // The day is enough: no policy document holds a time of day.
            guard let day = CalendarDate.start(of: element.trimmedText.prefix(10)) else { throw found() }
            return .date(day)
        case "data":
            guard let bytes = Base64.decode(element.text.utf8) else { throw found() }
            return .data(bytes)
        default:
            throw PolicyFailure(
                "line \(element.line): expected a value of a property list, found <\(element.name)>"
            )
        }
    }
}
