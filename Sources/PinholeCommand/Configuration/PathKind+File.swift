import Foundation
import PinholeRules

extension RuleSet.PathKind {
    /// What stands at `path`; links are followed.
    init(ofFile path: String) {
        guard FileManager.default.isReadableFile(atPath: path),
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
            )
        else {
            self = .missing
            return
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeDirectory: self = .folder
        case .typeRegular:
            let size = attributes[.size] as? Int ?? 0
            self = size > MockAnswer.fileLimit ? .large : .file
        default: self = .special
        }
    }
}
