/** Photographs of slips come with 12 megapixels and more; so many pixels on the longer side are plenty to read one. */
const longest = 2400
const smallEnough = 1.5 * 1024 * 1024

/** The name with the ending of what it has become. */
function renamed(name: string): string {
  return `${name.replace(/\.[^.]+$/, '')}.jpg`
}

/**
 * A chosen proof as it is sent: a large picture is made smaller here, so that it arrives over a slow line; anything
 * else, and what the browser can't read, goes as it is and the server decides.
 */
export async function preparedProof(file: File): Promise<File> {
  if (!file.type.startsWith('image/')) return file
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
    if (scale === 1 && file.size <= smallEnough) return file
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    const context = canvas.getContext('2d')
    if (!context) return file
    // White below what was transparent: a JPEG has no transparency, and black would hide the letters.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.85))
    return blob && blob.size < file.size ? new File([blob], renamed(file.name), { type: 'image/jpeg' }) : file
  } catch {
    return file
  }
}

/** The file as a data URL, as the payment call takes it. */
export function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'))
    reader.readAsDataURL(file)
  })
}
