import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Each line of the input becomes a log event, sent by the logger that is in the class path, with its configuration file. */
class Send {
    public static void main(String[] args) throws Exception {
        Logger logger = LoggerFactory.getLogger("access");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) logger.info("{}", line);
    }
}
