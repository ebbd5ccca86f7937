import PinholeFiles

/// The locations of the CA, of captures and of the state of running proxies.
///
/// A folder with a Pinhole `config.json`, or with a CA in `ca/`, keeps its own CA and capture. Everywhere else the
/// user's own directories are used, so that no secret is written into a folder that may be a checkout.
package struct Places: Sendable {
    /// The configuration that is used if it exists and `--config` names no other one.
    package static let configurationName = "config.json"
    /// The directory of the CA in a folder that keeps its own.
    static let authorityName = "ca"
    /// The capture in a folder that keeps its own, and in the state directory.
    static let captureName = "pinhole.sqlite"

    /// The folder to look into; empty for the working directory of the process.
    package var folder = ""
    /// The environment variables that name the user's directories.
    package var environment = ProcessEnvironment.variables

    /// Looks into a folder; the working directory if none is named.
    package init(folder: String = "", environment: [String: String] = ProcessEnvironment.variables) {
        self.folder = folder
        self.environment = environment
    }

    /// Whether a CA of Pinhole's lies in the folder.
    package var folderHoldsAuthority: Bool {
        ["rootCA.pem", "rootCA-key.pem"].contains { name in
            File.exists(at: inFolder("\(Self.authorityName)/\(name)"))
        }
    }

    /// Returns the directory of the CA if no configuration names one.
    ///
    /// - Throws: ``CommandFailure`` when the user's directory is needed and unknown.
    package func authorityDirectory() throws(CommandFailure) -> String {
        if folderHoldsAuthority { return inFolder(Self.authorityName) }
        return "\(try dataDirectory())/\(Self.authorityName)"
    }

    /// Returns the file of the capture if no configuration names one.
    ///
    /// - Throws: ``CommandFailure`` when the user's directory is needed and unknown.
    package func captureFile() throws(CommandFailure) -> String {
        if folderHoldsAuthority { return inFolder(Self.captureName) }
        return "\(try stateDirectory())/\(Self.captureName)"
    }

    /// `$XDG_DATA_HOME/pinhole`, which holds the CA; it need not exist.
    ///
    /// - Throws: ``CommandFailure`` when neither `XDG_DATA_HOME` nor `HOME` says where.
    func dataDirectory() throws(CommandFailure) -> String {
        try userDirectory("XDG_DATA_HOME", ".local/share")
    }

    /// `$XDG_STATE_HOME/pinhole`, which holds captures and the state of running proxies; it need not exist.
    ///
    /// - Throws: ``CommandFailure`` when neither `XDG_STATE_HOME` nor `HOME` says where.
    package func stateDirectory() throws(CommandFailure) -> String {
        try userDirectory("XDG_STATE_HOME", ".local/state")
    }

    /// The file of this program; `nil` if the system does not tell it.
    package static var program: String? {
        FilePath.target(ofLink: "/proc/self/exe")
    }

    /// Returns the documentation site of a program: `PREFIX/share/pinhole/html`, or `.build/site` for one in a clone.
    ///
    /// - Parameter program: The file `PREFIX/bin/pinhole` or `.build/TRIPLE/KIND/pinhole`.
    /// - Returns: The folder of the site; `nil` if there is none.
    package static func manual(of program: String?) -> String? {
        guard let program else { return nil }
        let prefix = FilePath.folder(of: FilePath.folder(of: program))
        let clone = FilePath.folder(of: prefix)
        let folder = clone.hasSuffix("/.build") ? clone + "/site" : prefix + "/share/pinhole/html"
        return File.exists(at: "\(folder)/index.html") ? folder : nil
    }

    /// Makes the state directory and its missing parents, with mode 0700.
    ///
    /// - Returns: The path of the directory.
    /// - Throws: ``CommandFailure`` if the directory cannot be made, or if other accounts can use it.
    @discardableResult
    package func makeStateDirectory() throws(CommandFailure) -> String {
        let path = try stateDirectory()
        do throws(Errno) {
            try Folder.make(at: path)
        } catch {
            throw CommandFailure(
                "could not make the directory \(path), where Pinhole keeps captures and its state: \(error)",
                remedy: "set XDG_STATE_HOME or HOME to a directory that can be written"
            )
        }
        do throws(FileFault) {
            try FileGuard.current.check(path, .secret, holding: "captures and tokens of Pinhole")
        } catch {
            throw CommandFailure(error.problem, remedy: error.remedy)
        }
        return path
    }

    /// Returns a phrase for the user about the folders that use the CA in a directory.
    ///
    /// - Returns: The text; `nil` for a directory that a flag or a configuration names.
    package func reach(ofAuthorityIn directory: String) -> String? {
        if directory == inFolder(Self.authorityName) { return "this folder alone" }
        guard let data = try? dataDirectory(), directory == "\(data)/\(Self.authorityName)" else {
            return nil
        }
        return "every folder without a Pinhole config.json or ca/ of its own"
    }

    private func inFolder(_ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }

    private func userDirectory(_ variable: String, _ usual: String) throws(CommandFailure) -> String {
        // The XDG specification: a path that is not absolute is ignored.
        if let base = environment[variable], base.hasPrefix("/") { return "\(base)/pinhole" }
        if let home = environment["HOME"], home.hasPrefix("/") { return "\(home)/\(usual)/pinhole" }
        throw CommandFailure(
            "neither \(variable) nor HOME is the absolute path of a directory, so there is no place for Pinhole's files",
            remedy: "set HOME to your home directory, or name the places: --ca-dir DIR --capture FILE"
        )
    }
}
