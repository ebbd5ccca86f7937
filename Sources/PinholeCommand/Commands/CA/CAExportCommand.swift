import ArgumentParser
import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeSession

/// `pinhole ca export`.
struct CAExportCommand: ParsableCommand {
    /// The formats in which trust stores accept a certificate.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case pem
        case der
        case p12
        case android
    }

    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the certificate in the form that a client takes. The key is never exported.",
        discussion: """
            EXAMPLES
              pinhole ca export --format pem
              pinhole ca export --format der --output pinhole-ca.der
              pinhole ca export --format p12 --output pinhole-ca.p12
                  a trust store for Java, passphrase “changeit”
              pinhole ca export --format android --output .
                  named as the system store of an Android emulator wants it, such as 1f2e3d4c.0
            """
    )

    @OptionGroup var options: CAOptions

    @Option(help: "pem, der, p12 or android.")
    var format: Format

    @Option(help: .value("file", "The file to write; without it, standard output."))
    var output: String?

    @Option(help: .value("text", "The passphrase of the p12; it guards nothing secret."))
    var passphrase = TrustStore.customaryPassphrase

    func run() throws {
        let directory = AuthorityDirectory(path: try options.load(toTrust: true).directory)
        let root = try directory.root()
        try write(try bytes(of: root), name: format == .android ? TrustStore.androidFileName(root) : nil)
    }

    private func bytes(of root: Certificate) throws -> [UInt8] {
        switch format {
        case .pem, .android: Array(root.pem.utf8)
        case .der: root.der
        case .p12: try TrustStore.pkcs12([root], passphrase: passphrase)
        }
    }

    private func write(_ bytes: [UInt8], name: String?) throws {
        guard var path = output else {
            if let name { StandardError.write("pinhole: save it as \(name)") }
            guard format == .pem || format == .android || isatty(STDOUT_FILENO) == 0 else {
                throw CommandFailure.usage("this form is not for a terminal", remedy: "add --output FILE")
            }
            FileDescriptorOutput.write(bytes, to: STDOUT_FILENO)
            return
        }
        if File.kind(of: path) == .folder { path += "/\(name ?? "pinhole-ca.\(format.rawValue)")" }
        try OutputFile.write(bytes, to: path)
        StandardError.write("wrote \(path)")
    }
}
