import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeStore

extension Configuration {
    /// Reads a configuration; missing keys keep their defaults.
    ///
    /// - Parameter value: The content of the file.
    /// - Throws: ``ConfigurationFailure`` for an unknown key or a value that cannot be used.
    init(_ value: JSONValue) throws(ConfigurationFailure) {
        self.init()
        var root = try ConfigurationObject(value, path: "")
        try root.section("proxy") { (object) throws(ConfigurationFailure) in try proxy.read(&object) }
        try root.section("ca") { (object) throws(ConfigurationFailure) in try authority.read(&object) }
        try root.section("tls") { (object) throws(ConfigurationFailure) in try tls.read(&object) }
        try root.read(
            "resolve",
            into: &resolve,
            ConfigurationValue.list(
                ConfigurationValue.parsed { (text) throws(AddressFailure) in
                    try Resolver.Override(InternationalName.ascii(text))
                }
            )
        )
        try root.section("capture") { (object) throws(ConfigurationFailure) in
            try capture.read(&object, bodyLimit: &limits.bodyCapture)
        }
        try root.section("limits") { (object) throws(ConfigurationFailure) in try limits.read(&object) }
        try root.finish()
    }
}

extension Configuration.Proxy {
    fileprivate mutating func read(_ object: inout ConfigurationObject) throws(ConfigurationFailure) {
        try object.read("listen", into: &listen) { (value, path) throws(ConfigurationFailure) in
            let read = ConfigurationValue.list(ConfigurationValue.parsed(SocketAddress.init(listening:)))
            let addresses = try read(value, path)
            guard !addresses.isEmpty else {
                throw ConfigurationFailure(
                    path: path,
                    expected: "at least one address",
                    found: "an empty list"
                )
            }
            return addresses
        }
        try object.read(
            "clients",
            into: &clients,
            ConfigurationValue.list(ConfigurationValue.parsed(AddressRange.init))
        )
        try object.read(
            "credentials",
            into: &credentials,
            ConfigurationValue.optional(ConfigurationValue.parsed(Configuration.Credentials.init))
        )
    }
}

extension Configuration.Authority {
    fileprivate mutating func read(_ object: inout ConfigurationObject) throws(ConfigurationFailure) {
        try object.read("directory", into: &directory, ConfigurationValue.word)
        try object.read("keyAlgorithm", into: &keyAlgorithm, ConfigurationValue.choice(Key.self))
        try object.read("permittedDomains", into: &permittedDomains) {
            (value, path) throws(ConfigurationFailure) in
            let domains = try ConfigurationValue.list(ConfigurationValue.word)(value, path)
            do {
                _ = try NameConstraints(permitting: domains.map(InternationalName.ascii))
            } catch {
                throw ConfigurationFailure(path: path, expected: "domains or networks", found: "\(error)")
            }
            return domains.map(InternationalName.ascii)
        }
    }
}

extension Configuration.TLS {
    fileprivate mutating func read(_ object: inout ConfigurationObject) throws(ConfigurationFailure) {
        try object.section("client") { (object) throws(ConfigurationFailure) in try client.read(&object) }
        try object.section("server") { (object) throws(ConfigurationFailure) in try server.read(&object) }
        try object.read("upstreamCAs", into: &upstreamCAs, ConfigurationValue.list(ConfigurationValue.word))
        try object.read(
            "badCertificate",
            into: &badCertificate,
            ConfigurationValue.choice(ServerPolicy.BadCertificate.self)
        )
        var groups: [[ServerPolicy.Exemption]] = []
        try object.read("exemptions", into: &groups, ConfigurationValue.list(Self.exemptions))
        exemptions = groups.flatMap(\.self)
        try object.read("passthrough", into: &passthrough) { (value, path) throws(ConfigurationFailure) in
            let rule = ConfigurationValue.parsed { (text) throws(AddressFailure) in
                let text = InternationalName.ascii(text)
                _ = try HostRules([text])
                return text
            }
            return try ConfigurationValue.list(rule)(value, path)
        }
        try object.read(
            "clientCertificates",
            into: &clientCertificates,
            ConfigurationValue.list(Configuration.ClientCertificate.init)
        )
    }

    private static func exemptions(
        _ value: JSONValue,
        _ path: String
    ) throws(ConfigurationFailure) -> [ServerPolicy.Exemption] {
        var object = try ConfigurationObject(value, path: path)
        let hosts = try object.require("hosts", ConfigurationValue.hosts)
        // An exemption without a reason is one that nobody dares to remove.
        let reason = try object.require("reason", ConfigurationValue.word)
        try object.finish()
        return hosts.map { ServerPolicy.Exemption(pattern: $0, reason: reason) }
    }
}

extension Configuration.Versions {
    fileprivate mutating func read(_ object: inout ConfigurationObject) throws(ConfigurationFailure) {
        try object.read("minimum", into: &minimum, ConfigurationValue.choice(TLSVersion.self))
        try object.read("maximum", into: &maximum, ConfigurationValue.choice(TLSVersion.self))
        guard minimum <= maximum else {
            throw ConfigurationFailure(
                path: "\(object.path).maximum",
                expected: "at least \(object.path).minimum, “\(minimum.rawValue)”",
                found: "“\(maximum.rawValue)”"
            )
        }
    }
}

extension Configuration.ClientCertificate {
    fileprivate init(_ value: JSONValue, _ path: String) throws(ConfigurationFailure) {
        var object = try ConfigurationObject(value, path: path)
        hosts = try object.require("hosts", ConfigurationValue.hosts)
        file = try object.require("file", ConfigurationValue.word)
        try object.read(
            "passphrase",
            into: &passphrase,
            ConfigurationValue.optional(ConfigurationValue.string)
        )
        try object.read(
            "passphraseFile",
            into: &passphraseFile,
            ConfigurationValue.optional(ConfigurationValue.word)
        )
        try object.finish()
        guard passphrase == nil || passphraseFile == nil else {
            throw ConfigurationFailure(path: path, expected: "passphrase or passphraseFile", found: "both")
        }
    }
}

extension Configuration.Capture {
    fileprivate mutating func read(
        _ object: inout ConfigurationObject,
        bodyLimit: inout Int64
    ) throws(ConfigurationFailure) {
        try object.read("file", into: &file, ConfigurationValue.optional(ConfigurationValue.word))
        try object.read("bodies", into: &bodies, ConfigurationValue.boolean)
        try object.read("bodyLimitBytes", into: &bodyLimit, ConfigurationValue.integer(in: 0...(1 << 40)))
        let days = ConfigurationValue.integer(in: 1...36_500)
        try object.read("maxAgeDays", into: &maxAgeDays, ConfigurationValue.optional(days))
        let megabytes = ConfigurationValue.integer(in: 1...(1 << 20))
        try object.read("maxSizeMB", into: &maxSizeMB, ConfigurationValue.optional(megabytes))
        try object.read(
            "whenFull",
            into: &whenFull,
            ConfigurationValue.choice(CaptureStore.WhenFull.self)
        )
    }
}

extension Limits {
    fileprivate mutating func read(_ object: inout ConfigurationObject) throws(ConfigurationFailure) {
        for (key, path, range) in Configuration.counts {
            var number = Int64(self[keyPath: path])
            try object.read(key, into: &number, ConfigurationValue.integer(in: range))
            self[keyPath: path] = Int(number)
        }
        for (key, path) in Configuration.deadlines {
            // A day is more than any exchange takes; zero would end it before it began.
            try object.read(key, into: &self[keyPath: path], ConfigurationValue.seconds(in: 0.1...86_400))
        }
    }
}

extension ConfigurationValue {
    /// Host patterns, at least one.
    fileprivate static func hosts(
        _ value: JSONValue,
        _ path: String
    ) throws(ConfigurationFailure) -> [HostPattern] {
        let pattern = parsed { (text) throws(AddressFailure) in try HostPattern(InternationalName.ascii(text))
        }
        let hosts = try list(pattern)(value, path)
        guard !hosts.isEmpty else {
            throw ConfigurationFailure(
                path: path,
                expected: "at least one host pattern",
                found: "an empty list"
            )
        }
        return hosts
    }
}
