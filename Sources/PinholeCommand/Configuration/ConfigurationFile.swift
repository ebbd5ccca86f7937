import Foundation
import PinholeLab
import PinholeModel
import PinholeRules
import PinholeTrust

/// Where the configuration comes from.
struct ConfigurationFile: Sendable {
    /// The file that is used where it exists and none was named.
    static let defaultPath = "config.json"

    /// The file; `nil` for the defaults alone.
    let path: String?

    /// Decides which file counts.
    ///
    /// - Parameter named: What `--config` says.
    init(named: String?) {
        path = named ?? (FileManager.default.fileExists(atPath: Self.defaultPath) ? Self.defaultPath : nil)
    }

    /// The folder that relative paths in it are relative to; empty for that of the process.
    var folder: String { path.map { ($0 as NSString).deletingLastPathComponent } ?? "" }

    /// Reads the file, or gives the defaults where there is none.
    ///
    /// Relative paths in it are relative to the folder that it lies in.
    ///
    /// - Returns: The configuration, with paths as the process can use them.
    /// - Throws: ``CommandFailure`` when it cannot be read, or ``DocumentFailure`` in one.
    func load() throws(CommandFailure) -> Configuration {
        guard let path else { return Configuration() }
        let content: [UInt8]
        do throws(PolicyFailure) {
            content = try PolicyFile.content(of: path)
        } catch {
            throw CommandFailure(
                .couldNotRun,
                "no configuration: \(error)",
                remedy: FileManager.default.fileExists(atPath: path) ? nil : "pinhole config > \(path)"
            )
        }
        do throws(DocumentFailure) {
            let (value, rules) = try JSONValue.parse(content, quoting: "rules")
            var configuration = try Configuration(value)
            configuration.ruleTexts = rules.map { JSONValue.elements(of: $0) } ?? []
            configuration.resolvePaths(in: folder)
            return configuration
        } catch {
            throw CommandFailure(.couldNotRun, error.inFile(path).description)
        }
    }
}

extension ConfigurationFile {
    /// A path as the process can use it.
    static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
    }
}

extension Configuration {
    /// Makes relative paths relative to `folder`.
    mutating func resolvePaths(in folder: String) {
        guard !folder.isEmpty else { return }
        let resolve = { (path: String) in ConfigurationFile.resolve(path, in: folder) }
        authority.directory = resolve(authority.directory)
        tls.upstreamCAs = tls.upstreamCAs.map(resolve)
        capture.file = capture.file.map(resolve)
        rules = rules.resolvingPaths(resolve)
        for index in programs.indices { programs[index].folder = folder }
        if case .file(let path) = proxy.credentials { proxy.credentials = .file(resolve(path)) }
        proxy.users = proxy.users.map(resolve)
        if case .file(let path) = upstream.credentials { upstream.credentials = .file(resolve(path)) }
        for index in proxy.certificates.indices {
            proxy.certificates[index].file = resolve(proxy.certificates[index].file)
            proxy.certificates[index].keyFile = proxy.certificates[index].keyFile.map(resolve)
            proxy.certificates[index].passphraseFile = proxy.certificates[index].passphraseFile.map(resolve)
        }
        for index in tls.clientCertificates.indices {
            tls.clientCertificates[index].file = resolve(tls.clientCertificates[index].file)
            tls.clientCertificates[index].passphraseFile = tls.clientCertificates[index].passphraseFile.map(
                resolve
            )
        }
    }
}
