import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * Hadoop's file system and YARN with a node each, until the standard input ends. Writes what a
 * client has to know, core-site.xml and yarn-site.xml, into a folder; the arguments behind it are
 * files and folders of this machine, which are copied into the root of the file system.
 */
public class HadoopCluster {
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Configuration settings = new YarnConfiguration();
    settings.setInt("yarn.nodemanager.resource.memory-mb", 8192);
    settings.setInt("yarn.scheduler.minimum-allocation-mb", 128);
    settings.setInt("yarn.nodemanager.delete.debug-delay-sec", 600); // of what containers say
    settings.set("yarn.scheduler.capacity.root.queues", "default");
    settings.set("yarn.scheduler.capacity.root.default.capacity", "100");
    MiniDFSCluster files =
        new MiniDFSCluster.Builder(settings, folder.resolve("hdfs").toFile()).build();
    files.waitActive();
    FileSystem store = files.getFileSystem();
    for (int each = 1; each < arguments.length; each++) {
      store.copyFromLocalFile(
          new org.apache.hadoop.fs.Path(arguments[each]), new org.apache.hadoop.fs.Path("/"));
    }
    MiniYARNCluster yarn = new MiniYARNCluster("kproto", 1, 1, 1);
    yarn.init(settings);
    yarn.start();
    Configuration known = new Configuration(yarn.getConfig());
    known.unset("net.topology.node.switch.mapping.impl"); // a class that clients do not have
    write(known, folder.resolve("yarn-site.xml"));
    Configuration place = new Configuration(false);
    place.set("fs.defaultFS", files.getURI().toString());
    write(place, folder.resolve("core-site.xml"));
    System.out.println("ready");
    System.in.read();
    System.exit(0); // what runs is ended, and the folders are the caller's
  }

  private static void write(Configuration settings, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      settings.writeXml(out);
    }
  }
}
