import PinholeFiles
package import PinholeSession

/// The world and the language of a class: those of the class in the folder, or new ones.
package struct ClassIdentity {
    /// The name of the student; `nil` for that of the class in the folder.
    let student: String?
    /// The secret of the teacher; `nil` for that with which the class in the folder began.
    let secret: [UInt8]?
    /// The language of an option; `nil` without one.
    let language: ClassLanguage?
    /// The language of a new class without an option.
    let usual: ClassLanguage

    /// Creates the identity of a class.
    package init(student: String?, secret: [UInt8]?, language: ClassLanguage?, usual: ClassLanguage) {
        self.student = student
        self.secret = secret
        self.language = language
        self.usual = usual
    }

    /// Returns the names and the language for a folder.
    ///
    /// - Throws: ``CommandFailure`` if the folder holds the class of another student, or of another secret.
    package func resolved(in folder: ClassFolder) throws(CommandFailure) -> (ClassNames, ClassLanguage) {
        let old: ClassFolder.State?
        do throws(ClassFailure) {
            old = File.exists(at: folder.file("class.json")) ? try folder.state() : nil
        } catch {
            throw CommandFailure(error)
        }
        guard let student = student ?? old?.student else {
            throw CommandFailure(.usage, "expected --seed STUDENT, the name of the student")
        }
        if let old, student != old.student {
            throw CommandFailure.usage(
                "\(folder.path) is the class of \(old.student), not of \(student)",
                remedy: "choose another folder: --directory \(student)"
            )
        }
        let new = ClassSeed(student, secret: secret ?? [])
        if let old, secret != nil, old.seed.material != new.material {
            throw CommandFailure.usage(
                "\(folder.path) is a class that was started with another secret, or without one",
                remedy: "choose another folder: --directory DIR"
            )
        }
        // Without the option, a class goes on with the secret that it began with.
        let isKept = old != nil && secret == nil
        let chosen = language ?? old?.spoken ?? usual
        return (ClassNames(isKept ? old?.seed ?? new : new, year: old?.year), chosen)
    }
}
