// Keeps a fault in one part of the window from taking the rest with it.
import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  readonly fallback: (error: Error, retry: () => void) => ReactNode
  readonly children: ReactNode
}

/** Shows `fallback` in place of children that threw. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | undefined }> {
  override state = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  readonly #retry = () => this.setState({ error: undefined })

  override render() {
    const { error } = this.state
    return error ? this.props.fallback(error, this.#retry) : this.props.children
  }
}
