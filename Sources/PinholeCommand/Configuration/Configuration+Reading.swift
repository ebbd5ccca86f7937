import PinholeCrypto
import PinholeFilter
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeStore

extension Configuration {
    /// Reads a configuration; missing keys keep their defaults.
    ///
    /// - Parameter value: The content of the file.
    /// - Throws: ``DocumentFailure`` for an unknown key or a value that cannot be used.
    init(_ value: JSONValue) throws(DocumentFailure) {
        self.init()
        var root = try DocumentObject(value, path: "")
        try root.section("proxy") { (object) throws(DocumentFailure) in try proxy.read(&object) }
        try root.section("ca") { (object) throws(DocumentFailure) in try authority.read(&object) }
        try root.section("tls") { (object) throws(DocumentFailure) in try tls.read(&object) }
        try root.section("upstream") { (object) throws(DocumentFailure) in try upstream.read(&object) }
        try root.read(
            "resolve",
            into: &resolve,
            DocumentValue.list(
                DocumentValue.parsed { (text) throws(AddressFailure) in
                    try Resolver.Override(InternationalName.ascii(text))
                }
            )
        )
        try root.read("filters", into: &filters, Self.filters)
        let vocabulary = filters.vocabulary
        try root.section("capture") { (object) throws(DocumentFailure) in
            try capture.read(&object, bodyLimit: &limits.bodyCapture, vocabulary)
            limits.messageCapture = limits.bodyCapture
        }
        try root.read("programs", into: &programs, ProgramDeclaration.all)
        try root.read("rules", into: &rules) { (value, path) throws(DocumentFailure) in
            try RuleSet(value, path: path, vocabulary: vocabulary).resolvingPrograms(programs, path: path)
        }
        try root.read("console", into: &console, DocumentValue.parsed(ConsoleChoice.init))
        try root.section("limits") { (object) throws(DocumentFailure) in try limits.read(&object) }
        try root.finish()
    }
}

extension Configuration {
    /// What may be slips in saved filters and in that of the capture.
    var remarksOnFilters: [String] {
        filters.entries.flatMap { entry in entry.filter.remarks.map { "filters.\(entry.name): \($0)" } }
            + capture.remarks
    }

    /// Reads `filters`, an object of texts by their names.
    fileprivate static func filters(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> SavedFilters {
        guard case .object(let members) = value else {
            throw DocumentFailure(path: path, expected: "an object {…}", found: value.summary)
        }
        var texts: [String: String] = [:]
        for (name, value) in members { texts[name] = try DocumentValue.string(value, "\(path).\(name)") }
        do throws(SavedFilters.Failure) {
            return try SavedFilters(texts, hostNames: InternationalName.ascii)
        } catch {
            throw DocumentFailure(
                path: error.name.isEmpty ? path : "\(path).\(error.name)",
                problem: error.description
            )
        }
    }
}

extension SavedFilters {
    /// What filters mean that may call these.
    var vocabulary: FilterVocabulary { FilterVocabulary(hostNames: InternationalName.ascii, saved: self) }
}

extension Configuration.Proxy {
    fileprivate mutating func read(_ object: inout DocumentObject) throws(DocumentFailure) {
        try object.read("listen", into: &listen) { (value, path) throws(DocumentFailure) in
            let read = DocumentValue.list(DocumentValue.parsed(ListeningPoint.init(_:)))
            let addresses = try read(value, path)
            guard !addresses.isEmpty else {
                throw DocumentFailure(
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
            DocumentValue.list(DocumentValue.parsed(AddressRange.init))
        )
        try object.read(
            "credentials",
            into: &credentials,
            DocumentValue.optional(DocumentValue.parsed(Configuration.Credentials.init))
        )
        try object.read("users", into: &users, DocumentValue.optional(DocumentValue.word))
        try object.read(
            "certificates",
            into: &certificates,
            DocumentValue.list(Configuration.ListenerCertificate.init)
        )
    }
}

extension Configuration.ListenerCertificate {
    fileprivate init(_ value: JSONValue, _ path: String) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: path)
        file = try object.require("file", DocumentValue.word)
        try object.read("keyFile", into: &keyFile, DocumentValue.optional(DocumentValue.word))
        try object.read("passphrase", into: &passphrase, DocumentValue.optional(DocumentValue.string))
        try object.read("passphraseFile", into: &passphraseFile, DocumentValue.optional(DocumentValue.word))
        try object.finish()
        guard passphrase == nil || passphraseFile == nil else {
            throw DocumentFailure(path: path, expected: "passphrase or passphraseFile", found: "both")
        }
    }
}

extension Configuration.Upstream {
    private static func mark(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> UInt32 {
        UInt32(clamping: try DocumentValue.integer(in: 1...Int64(UInt32.max))(value, path))
    }

    fileprivate mutating func read(_ object: inout DocumentObject) throws(DocumentFailure) {
        try object.read(
            "proxy",
            into: &proxy,
            DocumentValue.optional(
                DocumentValue.parsed { (text) throws(AddressFailure) in try NextHopChoice(text) }
            )
        )
        try object.read(
            "credentials",
            into: &credentials,
            DocumentValue.optional(DocumentValue.parsed(Configuration.Credentials.init))
        )
        try object.read(
            "bypass",
            into: &bypass,
            DocumentValue.list(
                DocumentValue.parsed { (text) throws(AddressFailure) in
                    try NextHops.Bypass(InternationalName.ascii(text))
                }
            )
        )
        try object.read("addresses", into: &addresses) { (value, path) throws(DocumentFailure) in
            let found = try DocumentValue.list(DocumentValue.parsed(SourceAddresses.address))(value, path)
            do throws(AddressFailure) {
                return try SourceAddresses(found)
            } catch {
                throw DocumentFailure(path: path, expected: error.expected, found: error.text)
            }
        }
        try object.read("offline", into: &isOffline, DocumentValue.boolean)
        try object.read("mark", into: &mark, DocumentValue.optional(Self.mark))
        guard credentials != nil else { return }
        switch proxy {
        case .named(let hop) where hop.user != nil:
            throw DocumentFailure(
                path: "\(object.path).credentials",
                expected: "credentials here or in \(object.path).proxy",
                found: "both"
            )
        case .environment:
            throw DocumentFailure(
                path: "\(object.path).credentials",
                expected:
                    "credentials in the variables that name proxies, since \(object.path).proxy is “environment”",
                found: "some here"
            )
        case .named, nil: break
        }
    }
}

extension Configuration.Authority {
    fileprivate mutating func read(_ object: inout DocumentObject) throws(DocumentFailure) {
        try object.read("directory", into: &directory, DocumentValue.word)
        try object.read("keyAlgorithm", into: &keyAlgorithm, DocumentValue.choice(Key.self))
        try object.read("permittedDomains", into: &permittedDomains) {
            (value, path) throws(DocumentFailure) in
            let domains = try DocumentValue.list(DocumentValue.word)(value, path)
            do {
                _ = try NameConstraints(permitting: domains.map(InternationalName.ascii))
            } catch {
                throw DocumentFailure(path: path, expected: "domains or networks", found: "\(error)")
            }
            return domains.map(InternationalName.ascii)
        }
    }
}

extension Configuration.TLS {
    fileprivate mutating func read(_ object: inout DocumentObject) throws(DocumentFailure) {
        try object.section("client") { (object) throws(DocumentFailure) in try client.read(&object) }
        try object.section("server") { (object) throws(DocumentFailure) in try server.read(&object) }
        try object.read("upstreamCAs", into: &upstreamCAs, DocumentValue.list(DocumentValue.word))
        try object.read(
            "badCertificate",
            into: &badCertificate,
            DocumentValue.choice(ServerPolicy.BadCertificate.self)
        )
        var groups: [[ServerPolicy.Exemption]] = []
        try object.read("exemptions", into: &groups, DocumentValue.list(Self.exemptions))
        exemptions = groups.flatMap(\.self)
        try object.read("passthrough", into: &passthrough) { (value, path) throws(DocumentFailure) in
            let rule = DocumentValue.parsed { (text) throws(AddressFailure) in
                let text = InternationalName.ascii(text)
                _ = try HostRules([text])
                return text
            }
            return try DocumentValue.list(rule)(value, path)
        }
        try object.read(
            "clientCertificates",
            into: &clientCertificates,
            DocumentValue.list(Configuration.ClientCertificate.init)
        )
    }

    private static func exemptions(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> [ServerPolicy.Exemption] {
        var object = try DocumentObject(value, path: path)
        let hosts = try object.require("hosts", DocumentValue.hosts)
        // An exemption without a reason is one that nobody dares to remove.
        let reason = try object.require("reason", DocumentValue.word)
        try object.finish()
        return hosts.map { ServerPolicy.Exemption(pattern: $0, reason: reason) }
    }
}

extension Configuration.Versions {
    fileprivate mutating func read(_ object: inout DocumentObject) throws(DocumentFailure) {
        try object.read("minimum", into: &minimum, DocumentValue.choice(TLSVersion.self))
        try object.read("maximum", into: &maximum, DocumentValue.choice(TLSVersion.self))
        guard minimum <= maximum else {
            throw DocumentFailure(
                path: "\(object.path).maximum",
                expected: "at least \(object.path).minimum, “\(minimum.rawValue)”",
                found: "“\(maximum.rawValue)”"
            )
        }
    }
}

extension Configuration.ClientCertificate {
    fileprivate init(_ value: JSONValue, _ path: String) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: path)
        hosts = try object.require("hosts", DocumentValue.hosts)
        file = try object.require("file", DocumentValue.word)
        try object.read(
            "passphrase",
            into: &passphrase,
            DocumentValue.optional(DocumentValue.string)
        )
        try object.read(
            "passphraseFile",
            into: &passphraseFile,
            DocumentValue.optional(DocumentValue.word)
        )
        try object.finish()
        guard passphrase == nil || passphraseFile == nil else {
            throw DocumentFailure(path: path, expected: "passphrase or passphraseFile", found: "both")
        }
    }
}

extension Configuration.Capture {
    fileprivate mutating func read(
        _ object: inout DocumentObject,
        bodyLimit: inout Int64,
        _ vocabulary: FilterVocabulary
    ) throws(DocumentFailure) {
        try object.read("file", into: &file, DocumentValue.optional(DocumentValue.word))
        try object.read("bodies", into: &bodies, DocumentValue.boolean)
        try object.read("clientProcesses", into: &clientProcesses, DocumentValue.boolean)
        try object.read("bodyLimitBytes", into: &bodyLimit, DocumentValue.integer(in: 0...(1 << 40)))
        let days = DocumentValue.integer(in: 1...36_500)
        try object.read("maxAgeDays", into: &maxAgeDays, DocumentValue.optional(days))
        let megabytes = DocumentValue.integer(in: 1...(1 << 20))
        try object.read("maxSizeMB", into: &maxSizeMB, DocumentValue.optional(megabytes))
        try object.read(
            "whenFull",
            into: &whenFull,
            DocumentValue.choice(CaptureStore.WhenFull.self)
        )
        try object.read("filter", into: &filterText) { (value, path) throws(DocumentFailure) in
            value == .null ? "" : try DocumentValue.string(value, path)
        }
        do throws(CommandFailure) {
            try use(filterText, vocabulary)
        } catch {
            throw DocumentFailure(path: "\(object.path).filter", problem: error.message)
        }
    }

    /// What may be a slip in the filter; nothing where a flag has said so already.
    var remarks: [String] { filterFlag == nil ? filter.remarks.map { "capture.filter: \($0)" } : [] }

    /// Lets a filter decide what is recorded.
    ///
    /// - Parameters:
    ///   - text: The filter; empty for everything.
    ///   - isFlag: Whether a flag says so, and not the file.
    ///   - vocabulary: What its words mean.
    /// - Throws: ``CommandFailure`` where it is none, or asks for what is not known then.
    mutating func use(
        _ text: String,
        isFlag: Bool = false,
        _ vocabulary: FilterVocabulary
    ) throws(CommandFailure) {
        let new: Filter
        do throws(FilterFailure) {
            new = try Filter(text, vocabulary)
        } catch {
            throw CommandFailure(.usage, isFlag ? error.description : error.message)
        }
        if let problem = CaptureScope.problem(of: new) { throw CommandFailure(.usage, problem) }
        filter = new
        let text = new == .everything && new.calls.isEmpty ? "" : text
        filterFlag = isFlag ? text : nil
        if !isFlag { filterText = text }
    }
}

extension Limits {
    fileprivate mutating func read(_ object: inout DocumentObject) throws(DocumentFailure) {
        for count in Configuration.counts {
            var number = Int64(self[keyPath: count.path])
            try object.read(count.key, into: &number, DocumentValue.integer(in: count.range))
            self[keyPath: count.path] = Int(number)
        }
        for deadline in Configuration.deadlines {
            // A day is more than any exchange takes; zero would end it before it began.
            let seconds = DocumentValue.seconds(in: 0.1...86_400)
            try object.read(deadline.key, into: &self[keyPath: deadline.path], seconds)
        }
    }
}

extension DocumentValue {
    /// Host patterns, at least one.
    fileprivate static func hosts(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> [HostPattern] {
        let pattern = parsed { (text) throws(AddressFailure) in try HostPattern(InternationalName.ascii(text))
        }
        let hosts = try list(pattern)(value, path)
        guard !hosts.isEmpty else {
            throw DocumentFailure(
                path: path,
                expected: "at least one host pattern",
                found: "an empty list"
            )
        }
        return hosts
    }
}
