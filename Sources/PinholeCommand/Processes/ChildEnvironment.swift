import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeSession

/// The environment in which a program connects through the proxy and trusts its CA.
struct ChildEnvironment {
    /// The variables that name the proxy.
    ///
    /// Some programs read only one of the two spellings.
    private static let proxyVariables = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"]
    /// The variables that would bypass the proxy if they were inherited.
    private static let removedVariables = ["NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"]

    /// The directory of the files, for its owner alone.
    private let directory: PrivateDirectory
    /// The environment of this process.
    private let inherited: [String: String]

    /// The names of programs that Node.js starts by a script.
    private let browsers: [String]

    /// Creates an environment whose files lie in `directory`.
    init(
        in directory: PrivateDirectory,
        inherited: [String: String] = ProcessEnvironment.variables,
        browsers: [String] = []
    ) {
        self.directory = directory
        self.inherited = inherited
        self.browsers = browsers
    }

    /// Writes the files for a program that trusts the system's CAs and one more, and returns the variables.
    ///
    /// - Parameters:
    ///   - root: The CA that the program trusts in addition to the system's CAs.
    ///   - port: The port of the proxy on 127.0.0.1; `nil` for an isolated program.
    /// - Returns: The variables to set, or with `nil` to remove.
    /// - Throws: ``CommandFailure`` when a file cannot be written.
    func variables(root: Certificate, port: UInt16?) throws(CommandFailure) -> [String: String?] {
        try variables(trusting: trusted() + [root], port: port)
    }

    /// Writes the files for a program that trusts only these certificates, and returns the variables.
    ///
    /// - Parameters:
    ///   - certificates: The trusted certificates.
    ///   - port: The port of the proxy on 127.0.0.1; `nil` for a program that connects without a proxy.
    /// - Returns: The variables to set, or with `nil` to remove.
    /// - Throws: ``CommandFailure`` if a file cannot be written.
    func variables(
        trusting certificates: [Certificate],
        port: UInt16?
    ) throws(CommandFailure) -> [String: String?] {
        let bundle = try directory.write(Array(certificates.map(\.pem).joined().utf8), to: Self.bundleName)
        var variables: [String: String?] = [:]
        for name in Self.proxyVariables {
            variables.updateValue(port.map { "http://127.0.0.1:\($0)" }, forKey: name)
        }
        for name in Self.removedVariables { variables.updateValue(nil, forKey: name) }
        // Where a variable names additional certificates, the complete bundle works as well.
        for name in ClientSetUp.bundleVariables { variables[name] = bundle }
        variables.updateValue(port.map { _ in "1" }, forKey: "NODE_USE_ENV_PROXY")
        if port != nil { variables["NODE_OPTIONS"] = try nodeOptions() }
        variables["JAVA_TOOL_OPTIONS"] = try javaOptions(certificates, port: port)
        variables["WGETRC"] = try wgetConfiguration(bundle)
        variables["PHP_INI_SCAN_DIR"] = try phpFolders(bundle)
        variables.updateValue(port.map { _ in "1" }, forKey: "PERL_LWP_ENV_PROXY")
        return variables
    }

    /// The name of the bundle in the directory.
    static let bundleName = "ca-bundle.pem"
    /// The name of Java's trust store in the directory.
    static let storeName = "truststore.p12"

    /// Returns the CAs of the system, and of the files that the user's own variables name.
    private func trusted() -> [Certificate] {
        var paths = [inherited["SSL_CERT_FILE"] ?? TrustBundle.systemPath].compactMap(\.self)
        paths += ClientSetUp.bundleVariables.compactMap { inherited[$0] }
        var seen: Set<Certificate> = []
        var read: Set<String> = []
        return paths.filter { !$0.isEmpty && read.insert($0).inserted }
            .flatMap { (try? TrustBundle(path: $0))?.certificates ?? [] }
            .filter { seen.insert($0).inserted }
    }

    /// Returns the options of Node.js, of which older versions read no variable for a proxy.
    private func nodeOptions() throws(CommandFailure) -> String {
        let text = Array(NodePreload.script(browsers: browsers).utf8)
        let script = try directory.write(text, to: "node-proxy.cjs")
        return ([inherited["NODE_OPTIONS"]].compactMap(\.self) + ["--require \"\(script)\""]).joined(
            separator: " "
        )
    }

    /// Returns the options of Java, which reads neither PEM nor the usual variables.
    private func javaOptions(_ certificates: [Certificate], port: UInt16?) throws(CommandFailure) -> String {
        let store = try CommandFailure.wrapping { try TrustStore.pkcs12(certificates) }
        let path = try directory.write(store, to: Self.storeName)
        let proxy = port.map { port in
            [
                "-Dhttp.proxyHost=127.0.0.1", "-Dhttp.proxyPort=\(port)",
                "-Dhttps.proxyHost=127.0.0.1", "-Dhttps.proxyPort=\(port)",
                // The list is empty, since the default contains localhost and 127.*.
                "-Dhttp.nonProxyHosts=",
            ]
        }
        let trust = [
            "-Djavax.net.ssl.trustStore=\(path)", "-Djavax.net.ssl.trustStoreType=PKCS12",
            "-Djavax.net.ssl.trustStorePassword=\(TrustStore.customaryPassphrase)",
        ]
        let options = ((proxy ?? []) + trust).map { $0.contains(" ") ? "\"\($0)\"" : $0 }
        return ([inherited["JAVA_TOOL_OPTIONS"]].compactMap(\.self) + options).joined(separator: " ")
    }

    /// Writes a configuration for GNU wget on GnuTLS, which reads no variable for its CAs.
    private func wgetConfiguration(_ bundle: String) throws(CommandFailure) -> String {
        let own = inherited["WGETRC"] ?? inherited["HOME"].map { "\($0)/.wgetrc" }
        let settings = own.flatMap { try? File.content(of: $0) } ?? []
        return try directory.write(settings + Array("\nca_certificate = \(bundle)\n".utf8), to: "wgetrc")
    }

    /// Writes a configuration for PHP, which reads no variable for the CAs of curl.
    ///
    /// - Returns: The folders of configurations; an empty name stands for PHP's own folder.
    private func phpFolders(_ bundle: String) throws(CommandFailure) -> String {
        let settings = "curl.cainfo=\"\(bundle)\"\nopenssl.cafile=\"\(bundle)\"\n"
        _ = try directory.write(Array(settings.utf8), to: "pinhole.ini")
        return "\(inherited["PHP_INI_SCAN_DIR"] ?? ""):\(directory.path)"
    }
}
