import PinholeClass
import PinholeFiles
import PinholeSession

/// The world and the language of a class: those of the class in the folder, or new ones.
struct ClassIdentity {
    /// The name of the student; `nil` for that of the class in the folder.
    let student: String?
    /// The secret of the teacher; `nil` for that with which the class in the folder began.
    let secret: [UInt8]?
    let language: ClassLanguageOptions

    /// Returns the names and the language for a folder.
    ///
    /// - Throws: ``CommandFailure`` if the folder holds the class of another student, or of another secret.
    func resolved(in folder: ClassFolder) throws(CommandFailure) -> (ClassNames, ClassLanguage) {
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
        let chosen = language.language ?? old?.spoken ?? language.chosen
        return (ClassNames(isKept ? old?.seed ?? new : new, year: old?.year), chosen)
    }
}
