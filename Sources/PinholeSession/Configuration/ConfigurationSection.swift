package import PinholeModel
import PinholeTelemetry

/// A member of the outermost object of `config.json`: an object of keys, or a value of its own.
package struct ConfigurationSection {
    /// The name of the member.
    package let name: String
    /// The subject of the member.
    package let meaning: String
    /// The default of a member without keys, as JSON; `nil` for an object of keys.
    package let usual: String?
    /// The harm that the value of a member without keys could do to the user; `nil` for an object of keys.
    let harm: ConfigurationHarm?
    /// The keys of an object; empty for a member without keys.
    package let keys: [ConfigurationKey]
    /// Reads the member from the outermost object.
    package let read: (inout DocumentObject, inout Configuration) throws(DocumentFailure) -> Void

    /// Declares an object of keys.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - meaning: The subject of the member.
    ///   - keys: The keys; those of an object within the section stand side by side.
    ///   - check: Checks what several keys say together; the text is the path of the section.
    package init(
        _ name: String,
        _ meaning: String,
        _ keys: [ConfigurationKey],
        check: @escaping (Configuration, String) throws(DocumentFailure) -> Void = {
            (_, _) throws(DocumentFailure) in
        }
    ) {
        self.name = name
        self.meaning = meaning
        self.keys = keys
        usual = nil
        harm = nil
        read = { (root, configuration) throws(DocumentFailure) in
            try root.section(name) { (object) throws(DocumentFailure) in
                try Self.read(keys[...], from: &object, into: &configuration)
                try check(configuration, object.path)
            }
        }
    }

    /// Declares a member without keys.
    package init(_ member: ConfigurationKey) {
        name = member.name
        meaning = member.meaning
        usual = member.usual
        harm = member.harm
        keys = []
        read = member.read
    }

    /// The harm that the keys of the section, or the member itself, could do to the user, with the paths of the keys.
    var harms: [(key: String, harm: ConfigurationHarm)] {
        (harm.map { [(name, $0)] } ?? []) + keys.map { ("\(name).\($0.name)", $0.harm) }
    }

    private static func read(
        _ keys: ArraySlice<ConfigurationKey>,
        from object: inout DocumentObject,
        into configuration: inout Configuration
    ) throws(DocumentFailure) {
        var rest = keys
        while let key = rest.first {
            guard let group = key.group else {
                try key.read(&object, &configuration)
                rest = rest.dropFirst()
                continue
            }
            let members = rest.prefix { $0.group == group }
            try object.section(group) { (object) throws(DocumentFailure) in
                for member in members { try member.read(&object, &configuration) }
            }
            rest = rest.dropFirst(members.count)
        }
    }

    /// The members of the file, in its order, in which they are also read.
    package static var all: [ConfigurationSection] {
        [
            Configuration.Proxy.section, Configuration.Authority.section, Configuration.TLS.section,
            Configuration.Upstream.section, Configuration.resolveMember, Configuration.filtersMember,
            Configuration.Capture.section, Configuration.programsMember, Configuration.rulesMember,
            Configuration.consoleMember, CollectorSettings.section, Configuration.limitsSection,
        ]
    }
}
