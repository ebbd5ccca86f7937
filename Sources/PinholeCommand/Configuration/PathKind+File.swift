import Foundation
import PinholeRules

extension RuleSet.PathKind {
    /// What lies at a path that the process can read.
    init(ofFile path: String) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            FileManager.default.isReadableFile(atPath: path)
        else {
            self = .missing
            return
        }
        self = isFolder.boolValue ? .folder : .file
    }
}
