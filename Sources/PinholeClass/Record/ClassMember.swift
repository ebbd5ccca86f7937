/// A student as the list of a class names the student.
package struct ClassMember: Sendable, Hashable {
    /// The name of the login, of the folder and of the world: letters, digits, “-”, “_” and “.”.
    package let id: String
    /// The name that the teacher sees; any text.
    package let name: String
    /// The group, such as “10b”; empty if the list names none.
    package let group: String

    /// Creates a member.
    package init(id: String, name: String = "", group: String = "") {
        self.id = id
        self.name = name.isEmpty ? id : name
        self.group = group
    }

    /// Makes an id of a display name: each run of other characters becomes one “-”; `nil` if nothing is left.
    package static func id(from name: String) -> String? {
        // An accent that is a character of its own looks the same as a letter with it, and makes another id.
        let isApart = name.contains { character in
            character.unicodeScalars.first?.properties.isAlphabetic == true
                && character.unicodeScalars.dropFirst().contains { scalar in
                    scalar.properties.generalCategory == .nonspacingMark && !scalar.properties.isAlphabetic
                }
        }
        guard !isApart else { return nil }
        let parts = name.split { character in
            !character.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "_.".unicodeScalars.contains(scalar)
            }
        }
        let id = String(parts.joined(separator: "-").drop { $0 == "." })
        return ClassSeed.isName(id) ? id : nil
    }

    /// The longest display name or group, in bytes.
    static let longest = 200
}
