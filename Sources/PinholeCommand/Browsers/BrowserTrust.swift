import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeSession

/// The files by which browsers trust the CA of a run, in that run alone.
///
/// Browsers read no variable for their CAs. Chromium has a database of NSS in its home directory, and Firefox has one
/// in each profile. A script stands before each browser: it prepares that database and becomes the browser.
/// Shells and drivers of browsers find the script by PATH, and Node.js by ``NodePreload``. The databases are made when
/// the first browser starts, so other programs pay nothing.
struct BrowserTrust {
    /// The names of the programs of browsers and of their drivers.
    static let names =
        Browser.products.flatMap(\.executables) + [
            "chromium-headless-shell", "chrome-headless-shell", "headless_shell", "chromedriver",
            "msedgedriver",
        ]

    private static let scriptName = "browser"
    /// The file of which the script leaves an empty one if a browser started and `certutil` is missing.
    private static let mark = "no-certutil"

    private let directory: PrivateDirectory
    private let environment: [String: String]

    /// Describes the files in `directory`.
    init(in directory: PrivateDirectory, environment: [String: String] = ProcessEnvironment.variables) {
        self.directory = directory
        self.environment = environment
    }

    /// The path of the script, whose arguments are the browser and the browser's arguments.
    var script: String { "\(directory.path)/\(Self.scriptName)" }

    /// The folder with the database that Chromium reads, after the script ran.
    var database: String { "\(directory.path)/home/.pki/nssdb" }

    /// Returns the folders in which the Chromium of this user looks for its database.
    static func databases(_ environment: [String: String] = ProcessEnvironment.variables) -> [String] {
        guard let home = environment["HOME"] else { return [] }
        // Chromium from version 146 on uses the second folder if the first does not exist.
        return ["\(home)/.pki/nssdb", "\(environment["XDG_DATA_HOME"] ?? "\(home)/.local/share")/pki/nssdb"]
    }

    /// Whether a browser did not trust the CA because `certutil` is missing.
    var lacksCertutil: Bool { File.exists(at: "\(directory.path)/\(Self.mark)") }

    /// Writes the files, and returns the variables for a program that may start browsers.
    ///
    /// - Parameter root: The CA that the browsers trust in addition to the others.
    /// - Returns: The variables to set.
    /// - Throws: ``CommandFailure`` if a file cannot be written.
    func variables(root: Certificate) throws(CommandFailure) -> [String: String?] {
        let authority = try directory.write(Array(root.pem.utf8), to: "pinhole-ca.pem")
        _ = try directory.write(Array(Self.text(in: directory.path).utf8), to: Self.scriptName)
        var variables: [String: String?] = [NodePreload.browserVariable: script]
        if environment[Self.playwrightPolicies] == nil {
            variables[Self.playwrightPolicies] = try directory.write(
                FirefoxPolicies.adding(authority, to: nil),
                to: "policies.json"
            )
        }
        let folder = "\(directory.path)/bin"
        let found = Self.names.compactMap { name in
            ExecutableSearch.path(of: name, environment).map { (name: name, path: FilePath.absolute($0)) }
        }
        guard !found.isEmpty else { return variables }
        try CommandFailure.wrapping("could not write \(folder)") { try Folder.make(at: folder) }
        for (name, path) in found {
            let words = ShellWord.command(["/bin/sh", script, path])
            let file = "\(folder)/\(name)"
            try OutputFile.write(Array("#!/bin/sh\nexec \(words) \"$@\"\n".utf8), to: file, isNew: true)
            guard chmod(file, 0o700) == 0 else { throw CommandFailure(writing: file, Errno.current) }
        }
        variables["PATH"] = "\(folder):\(environment["PATH"] ?? "/usr/bin:/bin")"
        return variables
    }

    /// Returns a command that runs a browser by the script, if the command names a browser.
    ///
    /// - Parameter command: The program and its arguments.
    /// - Returns: The command, unchanged if its program is no browser.
    func command(_ command: [String]) -> [String] {
        guard let name = command.first, Self.names.contains(FilePath.name(of: name)),
            ExecutableSearch.path(of: name, environment) != nil
        else { return command }
        return ["/bin/sh", script] + command
    }

    /// The variable by which the Firefox of Playwright finds its policies.
    private static let playwrightPolicies = "PLAYWRIGHT_FIREFOX_POLICIES_JSON"

    private static func text(in folder: String) -> String {
        #"""
        #!/bin/sh
        # Becomes a browser that trusts the CA of this run. What its home directory has is the user's own; what it makes
        # new at the top of it ends with the run.
        folder=\#(ShellWord.quoted(folder))
        trust() { certutil -A -d "sql:$1" -f /dev/null -t C,, -n 'Pinhole CA' -i "$folder/pinhole-ca.pem"; }
        if command -v certutil && [ -n "${HOME:-}" ]; then
            home=$folder/home
            if [ ! -d "$home" ] && new=$(mktemp -d "$folder/home.XXXXXX"); then
                for entry in "$HOME"/* "$HOME"/.[!.]* "$HOME"/..?*; do
                    [ "$entry" = "$HOME/.pki" ] || [ ! -e "$entry" ] || ln -s "$entry" "$new/"
                done
                store=$new/.pki/nssdb
                mkdir -p "$store"
                for own in "$HOME/.pki/nssdb" "${XDG_DATA_HOME:-$HOME/.local/share}/pki/nssdb"; do
                    [ -f "$own/cert9.db" ] && cp "$own/cert9.db" "$own/key4.db" "$store" && break
                done
                # The user's own database may have a password. A new one takes its place then.
                [ -f "$store/cert9.db" ] && trust "$store" ||
                    { rm -f "$store"/*; certutil -N -d "sql:$store" --empty-password && trust "$store"; }
                # Another browser that starts at the same time may have been faster.
                mv -T "$new" "$home" || rm -rf "$new"
            fi
            # A Firefox without windows gets a profile of this run, unless its command names one.
            case "${1##*/} ${MOZ_HEADLESS:+ -headless} $* " in
            firefox*\ -P\ * | firefox*\ -profile\ * | firefox*\ --profile\ *) ;;
            firefox*\ -headless\ * | firefox*\ --headless\ * | firefox*\ --screenshot*)
                browser=$1
                shift
                set -- "$browser" --profile "$(mktemp -d "$folder/profile.XXXXXX")" "$@"
                ;;
            esac
            before=
            for word; do
                # Drivers make a temporary profile for Firefox. A profile of the user's own is left as it is.
                case "$before $word" in
                "-profile ${TMPDIR:-/tmp}"/* | "--profile ${TMPDIR:-/tmp}"/* | "--profile $folder"/*)
                    [ -f "$word/cert9.db" ] || certutil -N -d "sql:$word" --empty-password
                    trust "$word"
                    # Firefox goes past the proxy for this machine otherwise.
                    echo 'user_pref("network.proxy.allow_hijacking_localhost", true);' >>"$word/user.js"
                    ;;
                esac
                before=$word
            done
            # Chromium goes past the proxy for this machine otherwise.
            [ -z "${https_proxy:-}" ] || export no_proxy='<-loopback>'
            [ ! -d "$home" ] || export HOME="$home"
        else
            : >"$folder/\#(mark)"
        fi </dev/null >/dev/null 2>&1
        exec "$@"

        """#
    }
}
