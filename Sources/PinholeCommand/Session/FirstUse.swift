import Glibc
import PinholeCrypto
import PinholeSession

/// The message at the first use: the places of the files of Pinhole, and the commands that remove them.
enum FirstUse {
    /// Writes the place of a new CA to standard error, that no trust store has it, and how to remove it.
    static func introduce(_ configuration: Configuration) {
        let directory = AuthorityDirectory(path: configuration.authority.directory)
        StandardError.write("pinhole: made a new CA \(directory.certificatePath) (pinhole ca show)")
        let isUsual = Places().reach(ofAuthorityIn: directory.path) != nil
        let removal = isUsual ? "; to remove it: pinhole ca uninstall --yes" : ""
        StandardError.write("pinhole: the CA is in no trust store of this system\(removal)")
        if let file = configuration.capture.file, let state = try? Places().stateDirectory(),
            file.hasPrefix("\(state)/")
        {
            StandardError.write("pinhole: captures lie in \(state); to remove them: rm -r \(state)")
        }
    }

    /// Writes to a terminal that the lab uses no CA of the user, if Pinhole has no state directory yet.
    ///
    /// The directory is made, so that the message comes once.
    static func introduceLab() {
        let places = Places()
        guard isatty(STDERR_FILENO) == 1, let state = try? places.stateDirectory(), access(state, F_OK) != 0,
            (try? places.makeStateDirectory()) != nil
        else { return }
        StandardError.write(
            """
            pinhole: the lab makes its certificates in memory, anew for each run
            pinhole: the lab uses no CA of yours, and changes no trust store of this system
            """
        )
    }
}
