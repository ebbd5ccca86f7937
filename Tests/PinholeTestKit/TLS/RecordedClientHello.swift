import Foundation
import Testing

/// A ClientHello as a program of Debian 12 or 13 sent it, in one record; browsers offer post-quantum groups, GREASE and
/// ECH.
package enum RecordedClientHello: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case chromium, curl, firefox, gnuTLS, go, node
    /// The programs of Debian 13; `openSSL13` sends two post-quantum shares, in 3 KiB.
    case curl13, go13, openSSL13

    /// The name of the program, in the names of test cases.
    package var testDescription: String { rawValue }

    /// The name in SNI.
    package var serverName: String { self == .firefox ? "localhost" : "www.example.com" }

    /// Whether a share of X25519MLKEM768 comes first.
    package var isPostQuantum: Bool {
        switch self {
        case .chromium, .firefox, .curl13, .go13, .openSSL13: true
        case .curl, .gnuTLS, .go, .node: false
        }
    }

    /// Whether encrypted_client_hello (RFC 9849) is among the extensions.
    package var offersECH: Bool { self == .chromium || self == .firefox }

    /// The record.
    package var record: [UInt8] {
        Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
    }

    /// The same message in records of at most `most` bytes (RFC 8446 §5.1).
    package func records(of most: Int) -> [UInt8] {
        let message = record.dropFirst(5)
        return stride(from: message.startIndex, to: message.endIndex, by: most).flatMap { start in
            let part = message[start..<min(start + most, message.endIndex)]
            return [22, 3, 1, UInt8(part.count >> 8), UInt8(part.count & 0xff)] + part
        }
    }

    private var base64: String {
        switch self {
        // Chromium 156.
        case .chromium:
            """
            FgMBBsABAAa8AwNSZqqZixuV+OnsNEBsSaoSXPN3JIzUw+mZk9IuG/GZlSCAuu7VYKz2EsurjGMXdA8gQdfmqGvver+ioKp5ESUD
            SgAgamoTARMCEwPAK8AvwCzAMMypzKjAE8AUAJwAnQAvADUBAAZTCgoAAAAbAAMCAAIAMwTvBO36+gABABHsBMDPuykPNX7w+I8O
            RXSA208O9a83gYPzt4B51CdXw8UMGUnlN4jmU449PABlVE0aELzTkXud9WNmhUlkqYc1pg6/RDceJM3CFCYCSslTsiKkgcVgEAqd
            IEVy7E4WaI6rsI3/XHwhHKeWQKSoFQ0raoQDGASB0ToOxc3mS1/Nt0JWRcSlE5gMGaqauw7lKYr7FJtKtQiOl3jx4aaIeGJHSVNj
            MVsICIKq0JZijFZgY87YFXcz4FTpKovUCwEaMoW7oJ4DeoIvOm2qqWrLQwPlxc+YJT0dyHS/yzAUZWgOKzl4CZfa+VHANLPQsR0y
            khjEF5KzGWEDEKqLgG5SJ6LwRZxbdge0bM0AVKFxKjk6FM0CdBFGpZoYhkE7N39fVKgRpzTQIzc+2qE6xFv92pft8XLcuGZV9gJw
            SCIwgTpPgjPh85OJWHophgWN54gcpIM8PDRgpw50iF+7fJW9Q5HCS3LFVIvJogC9cwnCQGdgYsXzwmYZ4Y+6pnV0NY52WEuUIbbl
            /GVzbCpkVMUTN2oX+UAfjF448r54N5906aUtswA6wVoLIRomnJ8ZLAh9GwvQtTkc4U9zqgtI1VOsojeeJkNvFKgcPHLj7MefIAj0
            +3X6pW9Eh3u75CLcFpJomr6dXLiYw6bq7IkKE5DN4jdpdaz+eywPyBHSM4jB/CKKxK4HeRbZ8peedjhUEVBe5VpGwsloinBLWcYY
            WkRKYChzcALp61wwRRBy87b8a07ZwofpYXY3SKa+VTfbJpBLg0JLhBxacnYZuL613AjAyMqBinMytUJeSq5xwA9OHMKj3EzhCGtf
            IB4t96QHMGDkeyF6dXx/mc3HCK6MnBUAeoK7+LLpEmxO1KcDtCeHgrAJYwOdYIV8FXBpk3I6fGGDvI9/NjcJSicvUAcfyTbdpQ5H
            M0Bck5Gmc53YaZdnZxaBxT1TJU6PpDIX+425Smu6GZ4D4s6sQ0A38yyhiIDrUY4RBwzwuL7hlc1hPBaf4hrpxn1f+Gj9aHkta6yt
            AcSgyTdW2XLZ7Ja3kh2PqAasNo8qQRZHNKj/bKixsLpeiwYo4GJhu2umDBQ5JhVPGwXfBcyUpQjoh4GM5jiDVSBdOCqY+IAkGBuJ
            wjcngaQm9cNEdr67sDWVowu958Iwkc1M9JbEoApPApyi4YxRqW0Ua6K9aLTk18j0dovywEE0epIW67uO2FNtFjG0qHIaSGpbd2iD
            mwHHQptCo4wRdCbL9I1crC/01Dj38Shs6w9VNm1AckEzfDhN5rLZPCv6Oz31olv5FmbInAClFz4qha+9tbSiAFYJxq+pnCc8dsUE
            aGLy9FsheF6aJkUjWWQxxCHQ2Bj768ZAWHDgoZhCaSiTq3ER7FEbBKsLNGusNSy9tzvwhxOO2B5/RXjm45QHdxEqCVpD6x45ZY92
            Y4ib9TB82hRpSZlks5LhmSgGdzxpNZwrw0RSeQlLQRr+e5DWKEpUFVn2IxETG0PzyjT2RE6+YKGj6M1OjHyCas5W2APIs3zRczlQ
            SCGZdhacHKgwZo6u+yGrQ3Ysg483/ut/xy9xLOOGpHzfH1wrWigv4zGUTBHkDA1etptq9c8ZsJuEuAh13RCueDz+jm55tiwUBPBh
            k/Kw6a5zAB0AII1em018+CZViY2ENRGrICoN1Ihws8uYOqAVmDJfqLllAAAAFAASAAAPd3d3LmV4YW1wbGUuY29t/wEAAQAALQAC
            AQEAEAAOAAwCaDIIaHR0cC8xLjEACgAMAAr6+hHsAB0AFwAY/g0AugAAAQAB3AAgfgP+SptdkGGLpJrijlI3wyghjkEtohrVZ1YC
            MIE9lyUAkMmL0ina7p2Dnkt4AjsdakqjgN9cT6PHEWmvF3+O+tqNFSFs8oxE0oem9mg8zIjkc/bkaOHxCY5/Fub7nnDhN6yKmgui
            XQchnPwMc3WXokiCgkUPfzFKD1IMNXyVg3wcEy+FeUUjdeFnPYCWWGDoFelRwGNKahHG1H861HRV9rClLX6eoVv9XPIJnKhFS460
            SETNAAUAAwJoMgAjAAAAFwAAABIAAAALAAIBAAAFAAUBAAAAAAArAAcGGhoDBAMDAA0AGgAY2toJBAkFCQYEAwgEBAEFAwgFBQEI
            BgYB6uoAAQA=
            """
        // curl 7.88 with OpenSSL 3.0.
        case .curl:
            """
            FgMBAgABAAH8AwOeK3UNFuP/K7TGeMzyN0hm3ghK9ZHakW5avINrAf/c/CCzlsMnZqEjKRvhLyNEdrUN3cIdxO1cJewDSUKMe0av
            AwA+EwITAxMBwCzAMACfzKnMqMyqwCvALwCewCTAKABrwCPAJwBnwArAFAA5wAnAEwAzAJ0AnAA9ADwANQAvAP8BAAF1AAAAFAAS
            AAAPd3d3LmV4YW1wbGUuY29tAAsABAMAAQIACgAWABQAHQAXAB4AGQAYAQABAQECAQMBBAAQAA4ADAJoMghodHRwLzEuMQAWAAAA
            FwAAADEAAAANACoAKAQDBQMGAwgHCAgICQgKCAsIBAgFCAYEAQUBBgEDAwMBAwIEAgUCBgIAKwAJCAMEAwMDAgMBAC0AAgEBADMA
            JgAkAB0AINdvcoP9oxI44B87+xVBMC5P3VFWlSdrsnmqALV8doI1ABUArgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
            """
        // curl 8.14 with OpenSSL 3.5.
        case .curl13:
            """
            FgMBBiIBAAYeAwPZ4GpdJfO0hBelzq6KD9UQ3hJ4T8KZP66f5EumDz6NFyBVeDysPdYDivNrL35+FHC0WxaAaR39CBUURt0fZXVDvwA8
            EwITAxMBwCzAMACfzKnMqMyqwCvALwCewCTAKABrwCPAJwBnwArAFAA5wAnAEwAzAJ0AnAA9ADwANQAvAQAFmf8BAAEAAAAAFAASAAAP
            d3d3LmV4YW1wbGUuY29tAAsABAMAAQIACgASABAR7AAdABcAHgAYABkBAAEBABAADgAMAmgyCGh0dHAvMS4xABYAAAAXAAAAMQAAAA0A
            NgA0CQUJBgkEBAMFAwYDCAcICAgaCBsIHAgJCAoICwgECAUIBgQBBQEGAQMDAwEDAgQCBQIGAgArAAUEAwQDAwAtAAIBAQAzBOoE6BHs
            BMCr5m0YgFJUFjPvQ4LHYwEDlk0jghIVhmPcOMxt24c7p0WUlR0fACb/cjOegsrPcCb38reAaJAb5Y28yCQAzbc8WXeessbXTHUzaTUd
            og5ixinVu8/fMSpyRRIERxiatbYTu8p1JJ8CKizDBrhtwA+l5EgJRXzBQqj2Aj8fOVWEDAAICxHI+5p3kaMMc7ONHAKyETqIxQuzhYgq
            GlQgQyj7olp3GsI2NBth9x2yGVm8Iqd+NgcuKzC/ynnZVs4YSDkRIpBGU8KCbMd6yLlQOEjMfF/ZBAUgiEt8w7fImB6NhqIjgkXKY2GC
            Ebf+gnk5BFZl5bqpdxfKiStlWEOJZgf6KIDZBg7AlGhEZEuHTEwyhpgU5XTRwZkR3HBH9Xz2NcXcWcKTCKgFIJtekzUN5yhI+4nqtMG8
            B7lJvMvvRw+n4IP12Xu0I7rsMI82UHDKfHohxzOdmcz3S0ITW3WwMifBV07FhVDvpnl4YWcFIW10iMzTY3vBGgEizJXTpqwiWglc6Qvs
            00zbVh2KWFCqwQhwUwesYUAUGBG8rDT9/LIyIahZwitDqrv7kxFiQsckYEjdZTcPVX9DB43lx8znvKwaSzV6mmpwuBkDd8uKfJrqQTBN
            M7gaUHtHs8hseyF/tqIFrCTa7LnQI3WGgRTfKYxtADU8MkglbB5SWJRPScny2DFpWUt9ch7Y5QLVyQh5dpngCYekAXxDaaMg5ndo9HbF
            qWng4IFF93n2DCjDcyZHuSIZtIENSX+Z4avp9S542rjfYFZRxACEWj+l5ce8dlzZ8bfvwoOXbKzj4xJ+dpg741hiKTs9Aol193dlZjHV
            VVgvcMIG6RpI9HtqFz1L2iLaNbC+QR6wqZg5047bQULoUit99ojyLMNpqcB/AzIuZlbinAjAV2T1WTb8Yj9FUHwdYDE1Qk1L/JalwHQa
            JK5g9LH46BzORx7QiCdTAQWyJYszeXnXec+9sBhkQjYzmHdkJrdo+ypkUECj4R8dLLRV8M5VUlwGVqqc0mkiZRD1g3GNooDxkCf4WhqI
            qpvJ4AV+Fc2NKB2mKSlqdTkVRhygEAMU6DpFs365OlsnaJ1YKKzqYBi86y24U4e2aia+g3vhCEL0GUL2zKu8cAnPkS7g+jjfIARViW2/
            FIgDwMwh55x5214jpAZbU6OuoTMUV76RIYVOLF6UwaOVCHsafHOZVA90SjdVKhbEgJOHeg0zVnyLdSNwspfaKK+hlQaCmn5vms1oNSqn
            kibqGiJ7dVGZJC+dqGCy7DdQUAQKpBSvxXoBmI8Y5FiuFongAoITHB4l/M8tGZpBEkpbJKP4trucWTD8hRRYEiCwZHS8NkG7KRJOc7GA
            wiMkEHXSR4Cj7MVj0IbUYZa+wTgMdlHSxaNRQixMsUJmFQpfe4rKFbSD2JkfdluJlcMpZ876J1BPBR3cczlWpjyDNYlSk7+kKwA8YpSB
            u4NvG3r9yGiW4hPBhSfKZiuW1M5rOVZFQkNE1ZC++y0Yu6iDsM/12BmmtagD9XXVGiU1NK7sCifeEULU06hmZgXlpbRTybI/2kB7arCb
            SspWxmphyWhJ2u1o4j2bCOxRMMEuH0T7ndN7q4RHEU3HWqNjfLbW/KswkSUa3stbAB0AIC9sxFm4guiAK+PLIcwk5A0LqnjgCiCTrjut
            X4V+K/cqABsABQQAAQAD
            """
        // Firefox 153 ESR.
        case .firefox:
            """
            FgMBB18BAAdbAwP9aNyEQOhiaUX8Q8RPG3QK/FYKc1F6uQZzyMop3pQfECBXv5sfX0epEldTllqpxDhCPpSeEWLclZsO1qDJpzta
            agAgEwETAxMCwCvAL8ypzKjALMAwwArAE8AUAJwAnQAvADUBAAbyAAAADgAMAAAJbG9jYWxob3N0ABcAAP8BAAEAAAoAEAAOEewA
            HQAXABgAGQEAAQEACwACAQAAIwAAABAADgAMAmgyCGh0dHAvMS4xAAUABQEAAAAAACIACgAIBAMFAwYDAgMAEgAAADMFLwUtEewE
            wHFMcq3JvNLJeHC8Su/7SzvDLScoFW+1LkNwdoXCu8A1Nv92owYITv5GVmUJAD2BcAGnU7MVLAW4Lss4OQmxpT8nBT9xx5TDlWjM
            uvv4bvm4NyuEPuX4npCkb1RcIQAiVco5k+NHco42jnnTGSd1a7xns7hYGoLhDbu1EfCso/sVQ965gN/VMeYUEqf5XQFRTjsgN3vp
            i4PyhGRZgzAgWSPwslgDV1liXVuoWUH6WyJMfBZHTS74NCy5sDOkM9YDY07jBdzHulwco/wVRdujxelserT7z7ILSSFYtmmmxT5l
            B58oQZxUYrdUnCBnn6YzJq01Q7ancKHSZ6K8YSa3h4dSXc9sau+Eus+GgeHqChW6HxLllDYyMkTacXqDGqzBLy/bF4DgndA4DfJQ
            Re3TpU/qMAiKKyKcQVyFNFe3hYlktK6MuPLqZrqVbJ3GAgtRRpA6CrmRfUsWmM1GivbDt5DJE0Ubgh3FuWyYdXioQXUwPTC8CYHS
            UA/GeKjlwyqIZ2bILgGsu9lgkapoVlT5kkkcTpRbV+2XoFhEGL8osjJatn1MSzy4g8AUU/J1P4e5n6JhozZajNHTe8+lo2k2oz7X
            m6S1Lt9XA7QhPXyJTzBaiJwXdWeVK0xsyenDULlUmGU1vy44mqere9kXWF52ZKBYdL0qxJ16m2iMfvSVUi6CSzb5ETi2TUQRCWlJ
            J21ZZa3xNjrBLpHAROREy3EcibZnyuU6E0ogqCfHPIkah/BLNGbUOHScBWakGnKXOqplIXVTK2N2jrs3HQNpFGV5L4CHll8AN+6w
            DUOTl6E7tKcCErOAwjuhMJbqim0TK+qZBCDZDXQpZElUFrpzU4OXWAzAEN+pujH5fER1dMCiU3y3pD/CFilkCWXVVaWXn7cIDPFj
            zRjLNo+jXPuDBD2ncjK7IC41jJSyOGn1YyWwteyDpk+Au5K8uvx1ozBsIclKdbLEqsdzCjMmcM2TSHNXUg8lftg6rJM5mWjxX28g
            vkNUY5aKPAaIJ1b6eaqlmvBWeAiBLQqoAi5sjUOpRGcQSawjpFBcYPfri2ryfiGAZ+SXoV3XVJi5Q1zsf7+aLY31nm3bvrHVGjnU
            GPQGfOFFLvwHOEDTHY8CkhUxn+p1ml37h2EVveI5ZgMKmFvgpkYQu2AQgC7HfoL0UseEBwKMR+Fsb3E4Hq/nX9CkCydzRyexS/fr
            KRHAafl2i/2KiYjWqF0xRv55YsxZwubGUjeYZpcAh+PTIM3sLCeqE1OChfqBw2knzO3ycUu1u8aTnbeoHoZoEHoLHXyDME74cxY8
            ITHTEa0Xl5l4WM2sUQcDrF1GMBqykIpHmrqZEsTaZoBITBQFxdfnWXRHqXM1DXWIKkMKc2M4lGbIHi3wV9aStL/zHjILkmmgcN7E
            GizlnFY3Zog5fb66m8o7L6JFkxQyXh/VbKHByxzHntnjofLJtfIyZB1WNK36w70BG5KXV5JVqnUjr4VzcyRMXiaSuEebbSqlQHj3
            GiXZs+4GulD0lyJHngb1BxC0lWaqlI6LGPwWuIcQMjAKeeN8ydRQW6NZd4VMxmGYXcd0L/uDvnqg1rwDzhVc+My2ETytrSvI247r
            rkistine8NMwRlGWWutazCkAHQAgzhVc+My2ETytrSvI247rrkistine8NMwRlGWWutazCkAFwBBBGcYGbpQ83l035Y4vBHWTKyL
            oatprVP/53IiBeARVH4m5x4B7BVaf29unormRQO8Ncz8JnukllhC+/ZraFjRZo4AKwAFBAMEAwMADQAYABYEAwUDBgMIBAgFCAYE
            AQUBBgECAwIBAC0AAgEBABwAAkABABsABwYAAQACAAP+DQEZAAABAAEKACCZrRoFg4lM+D0SkadhNcvEgSdx3SsxMXwNT2YxOItK
            DQDvOQzL35ZvYAXetsjfrrdU+oKVyv7j11ZRh5gqRviUcYMjiEW0uqF+KsDA11bfO7MY2XxwBXG1sVp1zLLoQ+lZCsgQDbjg8JKE
            vIJHnYulY2X2gmA12nEsVj4Ctt9zyVUmnhSrv3wcQ0Z2NS4A8cRDpYLIlSNu2x0rJof+JvpJ2QWUSY1imEBnnW72mRtz1kcRzQ2P
            tjdTog7KpQnA7YJOXiqxCoT3DhSHKZdvV72o2e76OE5DqGWtmnUNbLO1h5LKWnmUVe3IfcURyEO+wjwtMsblbkTNak7Q6zGeqDSk
            M8B2DpZr81SOtM7sFUSbyPA=
            """
        // GnuTLS 3.7.
        case .gnuTLS:
            """
            FgMBAYgBAAGEAwNygY0ghatircQWXTlwOvc7wWzU/DDbwCdR2XDppTUg0iDFNVNXBmbs8kT3ChxW3uKQHXwDwHYkHddj47tMpHyb
            /QA6EwITAxMBEwTALMypwK3ACsArwKzACcAwzKjAFMAvwBMAncCdADUAnMCcAC8An8yqwJ8AOQCewJ4AMwEAAQEABQAFAQAAAAAA
            CgAWABQAFwAYABkAHQAeAQABAQECAQMBBAALAAIBAAANACIAIAQBCAkIBAQDCAcFAQgKCAUFAwgIBgEICwgGBgMCAQIDABYAAAAX
            AAAAIwAAADMAawBpABcAQQSeIvqT7dnnb67EL2GW4JvecbPW4qhG1QO6iQgavgzBt2d1AFjGXc2LDs0cAyQ5cOVbLR/7UIScsAxM
            mIDKGhJxAB0AIJ8sLhBVYrOi69BMnphc2Lti+jDyRnreTr6rQOJT7PMJACsACQgDBAMDAwIDAf8BAAEAAAAAFAASAAAPd3d3LmV4
            YW1wbGUuY29tAC0AAwIBAAAcAAJAAQ==
            """
        // Go 1.19.
        case .go:
            """
            FgMBARQBAAEQAwMRFAvgUhxWzXjmBqUMtuR6Y521wO0V82HSBzvLtikIUyAxk57Tk35UDPuYeLW8+gXfKqvaEhyUWK89EaJsJIHX
            bQAmwCvAL8AswDDMqcyowAnAE8AKwBQAnACdAC8ANcASAAoTARMCEwMBAAChAAAAFAASAAAPd3d3LmV4YW1wbGUuY29tAAUABQEA
            AAAAAAoACgAIAB0AFwAYABkACwACAQAADQAaABgIBAQDCAcIBQgGBAEFAQYBBQMGAwIBAgP/AQABAAAQAA4ADAJoMghodHRwLzEu
            MQASAAAAKwAFBAMEAwMAMwAmACQAHQAgPPS/GRhCMA+Sw23cnmpwY5Kw+6kIv4iID/BpFtcT4TA=
            """
        // Go 1.24.
        case .go13:
            """
            FgMBBdIBAAXOAwNpYNtxN7H10lxlYEE2n/I+px2tVft6m/H6KSPiSEAAkyDPx6B1+1DEIRuG0XyNPmhvTnaBxMpLtsKKSgrgMxBf/QAa
            wCvAL8AswDDMqcyowAnAE8AKwBQTARMCEwMBAAVrAAAAFAASAAAPd3d3LmV4YW1wbGUuY29tAAsAAgEA/wEAAQAAFwAAABIAAAAFAAUB
            AAAAAAAKAAwAChHsAB0AFwAYABkADQAaABgIBAQDCAcIBQgGBAEFAQYBBQMGAwIBAgMAEAAOAAwCaDIIaHR0cC8xLjEAKwAFBAMEAwMA
            MwTqBOgR7ATAm+gz+nSR+thtlZa/2UdtCCG26+p7vlymQcI/nXBk9VECXquahptkD0eGwHTFd3gSFlcVDURSKyAzXeCPg2fCfAbHbgOA
            UzBVQCA+bJwmnsFwiuh4DtBg3XY3WXyXgaxiDPMlMvGIGxMhM0WnwSKAuvEVMDMWV8p4lEBoBvpxoKTIx/l+kwrGsSNjg2Net+Cp4PV4
            q0G+pMiLEMuz8bQ4lsSSDnURfXKG/XMpXaGxHSB3eYNXjNe5zWCKWVSYN4IGmBB1oqpVoyQ2tCcVP9ASqFlJ7fghT3YuRIAGK/tyJZwW
            aPglUHKZe8skC4iIk/QDOuBlple44FOLWvkdELl0rseMGPkUWgQW6GzEl3ZCBvIyDKkeHOGUqsJUVYGqtRMmUlYNOlhkjoC5S3RU9/WM
            puOIrLpd2+pQ7xg2H9JfjqZ+D8doiKKI+fuMVSy9HWGrFDhEmksh+Zcu2mwqlpqnKfGLdQSP23Q/sQQUnXESy/WWrLM9iAIMYmDOE/In
            kYhn86w9nnuBZDEyJTo9NWozi6UX4SfNqAAfknFTPrN64weq2mrEwOlQTKVQ3EZSTxZNdUGc4VO7L0InaKdCX/Z35/RdrZdzzIVfitTG
            Vwdii9ir+RdSpzge6+ph/zWVAzsHHoV8DxsGDOSWTtU4gAmgwRFVWGC32NTKRPsaL2QRrRheakOBBESUsheP/RzBGWIo1VIBUFC35HIq
            9fN3Y0HHViQRE8QLV5aWwEKg9eGpxFtCgesh0Ok78Bt9qPZVhUkwHbBrSbhnfxChmzm0NqRSxhC+HVGMYCnKr+EfYSVYthuTdvt+/VMv
            cMwADVKT7AN+20wrXjF+j5wEYKqsW8E/C/nGx5G9AuOzouuVt2RLHbVlJ3kJc2q5nWyvT5t65sW5wEJ3rQzJoXRSpLOGQjQLK8F7rgmA
            2OtcamknpBwz8nd98dzGALarRMU0MdtH9BUjaCDPt8ULuhY9TlvGWmQIIfeGD2gUx+kx7xOZ+aTAHFMJ11BwSGOniig4K+xuRegxkMRs
            Z/cIpLp2tUFWqRd4C2sjiKKsvZeEvhil/uSdb4qlFLFR9VGU8uFC0cS/OkKPsutcrMnAGMW7aaLLlqalEao2Bgqa4DQMsMNWMFC/iuqq
            cEpfYcrBCkkkg7xqJVEBevcgatmo4QyEi8kX+7imlDKE15p2mNOiuBqH8PdXmlWKA4UxTxYjHbSygTMunaOVJLZMHOOSZkVoLFUmtgbI
            DcvDFNt6wAonIrgOTVioS2dWzZOlJ9aN2LF8A1AMTzpbMKxwqnuf0Ld64xjDF8ykwGNjWcAWhHJwNAo1k+g6E4IOD6FXR3da00wVbhhI
            cBwic9e1QXQa8JC9dFk45OJ3qterKVovB2BKacxOPrF6/2G5/ILJnyx5FXVnyFdSGFMlPzh1a/hQqlwEMcGEywCogkKQN0ueBSOab9Mf
            k8sfmzqIdBoA3QwBDVmfp/wodGhK/pJ69psaKpREmdQjAUiYYZGLMlOThwCSokrOydc6MvEEYZpILvZiSklucAwz87WkWZMVymp80Q/c
            On09rWx2DTDHC5s1HLS5R/k4qtO98GOQYMxMOHhGdIfBKG7pSGoCwrj0rznV4Ml8Z7t7AWO6JgAdACCQYMxMOHhGdIfBKG7pSGoCwrj0
            rznV4Ml8Z7t7AWO6Jg==
            """
        // Node 18.
        case .node:
            """
            FgMBAXABAAFsAwNq0lBU8xwPRs/Nak5lCleDbgJDS9H1e8Y76DK0lT+IQyCqI2ju4R41O5TKIraZ+gVj+v7+BvZcMAk45I7ohnoK
            PQB2EwITAxMBwC/AK8AwwCwAnsAnAGfAKABrAKMAn8ypzKjMqsCvwK3Ao8CfwF3AYcBXwFMAosCuwKzAosCewFzAYMBWwFLAJABq
            wCMAQMAKwBQAOQA4wAnAEwAzADIAncChwJ3AUQCcwKDAnMBQAD0APAA1AC8A/wEAAK0AAAAUABIAAA93d3cuZXhhbXBsZS5jb20A
            CwAEAwABAgAKABYAFAAdABcAHgAZABgBAAEBAQIBAwEEACMAAAAWAAAAFwAAAA0AKgAoBAMFAwYDCAcICAgJCAoICwgECAUIBgQB
            BQEGAQMDAwEDAgQCBQIGAgArAAUEAwQDAwAtAAIBAQAzACYAJAAdACBb/tnIJedX4HucRJ/EiX8Z5eWq51MCUPIY0bYLL33UEg==
            """
        // OpenSSL 3.5: s_client -groups '*X25519MLKEM768:*SecP384r1MLKEM1024:*X25519'.
        case .openSSL13:
            """
            FgMBDJ0BAAyZAwN+32aeSVsEHOhru0OnZkB2CxAlFjF4VQpT0a7kmHHypSDVWj4g1FQlr/ZJjcKhl8xQII1busJMw2WhC4yp8IRLbwA8
            EwITAxMBwCzAMACfzKnMqMyqwCvALwCewCTAKABrwCPAJwBnwArAFAA5wAnAEwAzAJ0AnAA9ADwANQAvAQAMFP8BAAEAAAAAFAASAAAP
            d3d3LmV4YW1wbGUuY29tAAsABAMAAQIACgAIAAYR7BHtAB0AIwAAABAADgAMAmgyCGh0dHAvMS4xABYAAAAXAAAADQA2ADQJBQkGCQQE
            AwUDBgMIBwgICBoIGwgcCAkICggLCAQIBQgGBAEFAQYBAwMDAQMCBAIFAgYCACsABQQDBAMDAC0AAgEBADMLbwttEewEwCNIC0ZatuG1
            INKMQatrCi7xTwpIk+6kzHm7puYCzVqRfduybCvMlPWyMJTKciKJIZIrawdbqqTssCWQDo9nVILDIxSCiMgiiSrmclako7i3LuA4OYKb
            IQ0LzrhJRA9Uw2OxKeoZlusqMeBRtxnhIZskmfuylsOwNEgLQm0gbGCmHoLry/+BZ6P0mX9FCb0rV306WMamkmKIiBV7TVwwYHP6J+9I
            j4YDbLfJjIXcbhVKjt+xAoXyet1ltY3lhKlKEdPrknYZvboyecE7ItViCDoaE6cLCBmhBADTi8W1s68LmqTAYnagwDC0J+T4FKFrzWRB
            YWnrKmYkhCCimYZlMvs3NeEYWm2hTJykN4CQVGknwt5MqSazzSgEE4r6FFU1NFWUberGiYSJghRWq3dgrctCArrWk0lbDWOgiLqVJtJz
            rc3HzG2iOY3cfLmnglL8Ie6QPdyquSFrp0tmIh8WO/BMUDcqFyEbI26rL74SY2VoHM+HTF68xRKKyZOJqv9qoPKIEI+gDWIHznMWPl2z
            lu66GRB3UsT4c6pEJILBUXTjQNuadfInTYN3E36ZeKK3R1vJWmNclzMAf4ySBso6UP76XXDhRG4En3flogzTxRgHK90VzSaRf1FaY+Jo
            m3WcVO3rfpOnYZ+MNdSlfi4SnoiwphPVpLHAP7oUeG1DJbWJVM+hW4X8Ydj1yAHnrBSzKpQ3umwmS08TDenGCSuApTGBOZDUW8J0wAJm
            oVF3l1ZbtLmjiUGQSdBwgvZDCwLcZ+mpozGJaiXaoz5Yl42DNGnkMPYQxh0mlr/IRCqzmWN3zLfWGMdCRfRCy6VUt7GamnZBxLHTLIi6
            FtxBetNYgEScQ4ErRWAKrswbQLVXbWfVGLzxYY1kyMj3sgGFbS9prT7JEajzXY0FXT0SWWO4MndRKHeynCVsin7WkcrClXlijBnFTXMJ
            kUZjrR2zfRLGhKgItt4bA4cLCkFLnXfQex2KgfXsam3bpHOST2wBtZaHJPd8LWMoZvCbnPqLWzt1MFiIjaGskkXUWqORg+xigHJLz1B7
            LbB2WQHgK3U7p5BXpkTUfkP8nxW5v2KXF+smblL5eqeaCGilrmjsJw2BiXG0ThGHOhUSlk2LVb84u9oLLzs2dRA2m/A6sU7UVTzomG34
            qcOVti4jZ/Wwxrz4wmfXrt3MuJEImf81sz6lvGC1u7ACXkA5oWQmW0bSws1DN6WZRQdqm8X4DKUHzgWlPJc7LTuhfltAFGdxb+52gbXs
            m+cTF1RWB5bxPpU0cJYhi2O8EHcgYhNykgGHWAGjhtOZDNCmSCiXZX9FaXLltDySbBSEhnFipTFos/PJjbz6mVISIwt7iFHrx8bZF9tl
            E5QyU4ejFR3qR5NpfX1sz2aFTPq7ecBUBcqMO8vlvMEhft85JwzWG+FAha6qUQclwlCaRAtVrm2rRW2XawywDH4Vu3IFHPI5HYWstu0p
            CEDks67FaXjrpRIFDXucu5+qCUXnnmKzqxlCqL8QpRHGwNxhVHviGN1QzaPrmh1UfJa1BrCs5StqE4PSjgKO3KVmY+yZUzjdVzhqU8cT
            vHnccocChVu7Uvs4zgRqdnMtzi8NpOumbD9T6CgxUwjb4l1X/SIR7QaBBNzaz7Vpp2FbGju+VC1J1PZqBbtWgLwIBhmvZwP2sICJkVI5
            yC7yTL1KZ0LnOVmM1vXVKHiqDCkZVxiVJh8OZH17o8HhrWHNiOE5jLtqeRhTnlLRvHK4VrUpP3Egkow3bk7MVyE8FOoyu/zJFNMWSKjB
            UkQDsG1MHV5rS5ZbVz4zhNx1oKe7ekGcnFdFCwDRBQVXdOBByyvmXVN4gh0bGdB3VjSBdjtRFzuMb/obYbwBEbFyVDvBzGHXxFXCkK7c
            vBnzhNx6iLrVWtAIxq7gY/1DF/RpBrJruHqgLSopQRWDWy8rCoRRgotCcKtJj8v6VxYgL37WI9uZk/cAX+WKuL3SnGHnuUvEqcq3ChCU
            D0akrXbKtMkaR8KoQxdQi+F3gmBywbMMgNCrfpgiXcvClFGDkH+omq7MsPdqFqu7NRxFQfa1l7wkywMRfz5LTXEYWrncxsdwZ9BRa3Up
            zGZxViOLPLETfO6nV6C5VYDqY+mcUt1wF2zsidT4C+v8mK1guSyjGR57CZSVyM/VcdkRFzACrV3Lg4kFOVPRB4Ehz3xGyT51SEU8ahSS
            FPPxuzuFwSrgADzBFOsJEcA5XBu6nHZ1i0VxTwIrXOKYanuhS5QZaiAblMEwJ4pXx79wQu2wFqf2aCt6jmRrAGr6E2Tzpk3qYhiKe4mI
            WBpwwGz4h0k7iufRZXZZYdxJslWqJi0VIAKFCn3HlU9AZ8apGcbGW2kHyZq0k7r3gEr8C8QSSGDRKbknIVysj961kR/iGyaUqy1mP3Tx
            TCgUWPKrIR1AtqiUfkATTW2qW12AI2zpRxVcJzL7BYDRudbUI76xxuUXI8FAXg5AlDUlaXHgqJO6R//byMrFu2kXucGWGQFiDEArwU6W
            cl0hJAfUNR5LpkhHvAwElt5obiUXx5hMt535CDjlK2tMeR02zKiiX5BhwUl5HnjidxvHXRIRqjEIVL3GNrE2MhtokO38hRYovVN7BjBI
            LBNSyT16rTELfBXEIIfjzbqQLmvsO9HJHYgmxnaQQL9VzJmEePtZEpp3sOoKV8LTMnApNScboztEtv7WN11Ci+bWAeyJlHVMGFPlXUX2
            iarkJdAkLJQDNYX7vnphaoq8qGFoPn24mFQcyqXop7ikj4/nD2l4NLPMyjjiB3SrPMj2yCjqicThdGCsvU98CiaGzJyUF3YgwvXEBeLE
            VQKyWdv4gvvGypV1HX3KKhcTYl5WPwWjjy37BDHkQQEkylyxNaerAnopIKpcrC1zMSV2Q5OzwjVYIdZMqfOkUIEUri1oLc9SHqJIrrfL
            n0KVR38kAOWjMKgcvwSaQFSWo03ZJ/FnK+cFM9/6rNcGKcSseryWDI/LHoCZVPDyfs/Fd1I1FNGZwgiLsVhAOO7EZ1vnPcQ5l6roOde2
            MQMnKm9zjY2Zes0UdzLQH0amqfwpm0asNqK4G31FMSonAjucdO1zxs7wWbI3L+n8AQgpDBoGtlWlo1cXIVx2opXXxx8VHpJIBzpRqGmw
            vgxXGfbgB0GsuXF4SL88LaSGqOhiKcd6bircbH+JhA3gIohIjwqlnbS0lV1kWn6cCwLoB7gEw2CaLJqYeqtrq2+qivA6Ao8le1ZaGWC6
            FFHmRGv1OaACW9MZcHogXkYlOGo7BTIIukrUapLLhfWTzsEgeTCgzWCsQOQ0zEMwCpBHUXWbljjiSa/JTQ30ejqCRremE31JEzqrAGcW
            zX7nJAoxzo/FKcFJnWNjIiZDL3kaoDhBD581zJdLbO9zsMnVg48EGrUgTZKMjoynnMp1uj+wp811uxHHNKG5oVvryofVeFwoCqdcZt+S
            k/qcl7JRcV0VwQXEB45BKRbDIeAshbozbLe7Cd34xNqkiWSpHS5SsuN8g5sUTdXFnGGlwHOsbpzBTUYCEF7IyGjCkT5Ym1xsZObJodBx
            amuYlpKrNd+xfJQho8jFw3Aci+XHMYaEjotAv0WSkuQlYhnVQUOlu8+BPZSixOZhczqgL/zKYyhMIuLTSGPyzL2mu0nhA7jJE3s2s/3k
            iwqmBz8Qz29prNmrUurmoW7Bb/mnb+h6VZLSAxN1PdlED9FVIBbbHpRYEHhZrUWaWH6JhHE4O5wFQW8WNupUqG4oEUoJyLjSaZ0rYpS6
            hV7HoRiJQDICOSP4mYGAXZhpI21KpG0wP13CnaajLoWhCVh3KBX0sJn5K3gRhOHm0Erp4GWYP29F0I9WpUYdzAMWnuXAAB0AIJkKllgN
            R94eCAvAu9dauOaGec9W1IMwJU5dv2IVjGwKABsABQQAAQAD
            """
        }
    }
}
