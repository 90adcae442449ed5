// One mesh of coloured quads: everything of a frame that is a box or an axis-aligned stroke, in one draw call.
import { Buffer, BufferUsage, Geometry, Mesh, Shader } from 'pixi.js'
import { QuadBuilder } from './geometry.ts'

const vertex = `#version 300 es
in vec2 aPosition;
in vec4 aColor;
out vec4 vColor;
uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;
void main() {
  vColor = aColor;
  gl_Position = vec4((uProjectionMatrix * uWorldTransformMatrix * uTransformMatrix * vec3(aPosition, 1.0)).xy, 0.0, 1.0);
}`

const fragment = `#version 300 es
precision mediump float;
in vec4 vColor;
out vec4 finalColor;
void main() { finalColor = vColor; }`

export class QuadMesh {
  readonly builder = new QuadBuilder()
  readonly mesh: Mesh<Geometry, Shader>
  readonly #positions = new Buffer({ data: this.builder.positions, usage: BufferUsage.VERTEX | BufferUsage.COPY_DST })
  readonly #colors = new Buffer({ data: this.builder.colors, usage: BufferUsage.VERTEX | BufferUsage.COPY_DST })
  readonly #indices = new Buffer({ data: this.builder.indices, usage: BufferUsage.INDEX | BufferUsage.COPY_DST })

  #lastIndexCount = 0

  constructor() {
    const geometry = new Geometry({
      attributes: { aPosition: { buffer: this.#positions, format: 'float32x2' }, aColor: { buffer: this.#colors, format: 'unorm8x4' } },
      indexBuffer: this.#indices,
    })
    this.mesh = new Mesh({ geometry, shader: Shader.from({ gl: { vertex, fragment, name: 'quads' } }) })
  }

  /** Sends what the builder holds to the GPU. All indices are drawn, so those left from a longer frame are emptied. */
  upload(): void {
    const { builder } = this
    this.mesh.visible = builder.indexCount > 0
    // A hidden mesh is not sent: what the GPU holds, and the memory of its length, stay as they are.
    if (!this.mesh.visible) return
    const indexCount = Math.max(builder.indexCount, this.#lastIndexCount)
    builder.indices.fill(0, builder.indexCount)
    this.#lastIndexCount = builder.indexCount
    this.#positions.setDataWithSize(builder.positions, builder.vertexCount * 2, true)
    this.#colors.setDataWithSize(builder.colors, builder.vertexCount * 4, true)
    this.#indices.setDataWithSize(builder.indices, indexCount, true)
  }

  destroy(): void {
    const { shader } = this.mesh
    this.mesh.destroy()
    shader?.destroy()
    for (const buffer of [this.#positions, this.#colors, this.#indices]) buffer.destroy()
  }
}
