/// Where an import writes.
package enum ImportTarget: Sendable {
    /// Into a file that nobody records into; it is made where there is none.
    case file(String)
    /// Into a capture that is being recorded, beside what is recorded.
    case live(CaptureStore)

    /// The file.
    package var path: String {
        switch self {
        case .file(let path): path
        case .live(let store): store.path
        }
    }
}
