import PinholeModel
import PinholeTrust

/// A mechanism of policy documents: its settings, how they are read, and its description.
///
/// `pinhole lab list` and docs/PINS.md show the description.
package struct PolicyMechanism: Sendable {
    /// A setting of a mechanism.
    package struct Setting: Sendable {
        /// The path of the setting within `policy`; a `*` stands for any name.
        package let name: String
        /// The default, as JSON; `nil` if there is none.
        package let usual: String?
        /// The effect of the setting; empty if its name says it.
        package let meaning: String

        /// Declares a setting.
        init(_ name: String, _ usual: String? = nil, _ meaning: String = "") {
            self.name = name
            self.usual = usual
            self.meaning = meaning
        }

        /// Declares a setting without a default.
        init(_ name: String, meaning: String) { self.init(name, nil, meaning) }
    }

    /// The headings that mechanisms are listed under.
    package enum Group: String, Sendable, CaseIterable {
        case device
        case stricter
        case afnetworking
        case alamofire
        case pins
        case known
        case vendors
        case combinations
        case broken
    }

    /// The name in documents.
    package let name: String
    /// The heading that the mechanism is listed under.
    package let group: Group
    /// The members of `policy`.
    package let settings: [Setting]
    /// The checks of the mechanism, in a sentence.
    package let meaning: String
    /// Reads the members of `policy`.
    let read: Reading

    /// Makes a policy from the members of `policy`.
    typealias Reading =
        @Sendable (
            PolicyReader, inout DocumentObject
        ) throws(DocumentFailure) -> any TrustPolicy
}

extension PolicyMechanism.Group {
    /// Declares a mechanism of the group.
    func mechanism(
        _ name: String,
        _ settings: [PolicyMechanism.Setting],
        _ meaning: String,
        read: @escaping PolicyMechanism.Reading
    ) -> PolicyMechanism {
        PolicyMechanism(name: name, group: self, settings: settings, meaning: meaning, read: read)
    }

    /// Declares a mechanism of the group without settings.
    func mechanism(
        _ name: String,
        _ meaning: String,
        read: @escaping PolicyMechanism.Reading
    ) -> PolicyMechanism { mechanism(name, [], meaning, read: read) }
}
