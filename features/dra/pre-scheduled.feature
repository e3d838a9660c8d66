@profile:kep @profile:since-1.34
Feature: Pods that are on a node before any scheduler has seen them
  "When a user creates a Pod with spec.nodeName already set, the scheduler gets bypassed." Its claims are then allocated
  by nobody, and the kubelet refuses to run it until they are. Better is a node selector.

  Background:
    Given a node "worker-1" with the labels
      | label                  | value    |
      | kubernetes.io/hostname | worker-1 |
    And a node "worker-2" with the labels
      | label                  | value    |
      | kubernetes.io/hostname | worker-2 |
    And the devices
      | device | node     |
      | gpu-0  | worker-1 |

  @DRA/pre-scheduled/nodename-bypasses-scheduler @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario: The claim of a pod on a node is generated and not allocated, and the pod does not run
    Given a template "t" requesting 1 device
    When a pod "p" on node "worker-1" that uses the template "t" as "gpu" is created
    And the cluster settles
    Then pod "p" is pending
    And the ResourceClaim "gpu of pod p" has
      | field             | value |
      | metadata.labels   | null  |
      | status.allocation | null  |
    And claim "gpu of pod p" is reserved for nobody
    And claim "gpu of pod p" is prepared on no node

  @DRA/pre-scheduled/nodename-bypasses-scheduler
  Scenario: What a pod on a node does not get is there for a pod that is scheduled
    Given a claim "c" requesting 1 device
    And a claim "d" requesting 1 device
    When a pod "p" on node "worker-1" that uses claim "c" is created
    And a pod "q" that uses claim "d" is created
    And the cluster settles
    Then pod "p" is pending
    And claim "c" is not allocated
    And pod "q" runs on node "worker-1"

  @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario: The kubelet does not run a pod whose claim does not exist
    When a pod "p" on node "worker-1" that uses claim "c" is created
    And the cluster settles
    Then pod "p" is pending
    And an event FailedPrepareDynamicResources is told of pod "p"

  @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario: The kubelet does not run a pod whose claim was not generated, since there is no template
    When a pod "p" on node "worker-1" that uses the template "t" as "gpu" is created
    And the cluster settles
    Then pod "p" is pending
    And the ResourceClaim "gpu of pod p" does not exist

  @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario: The kubelet does not run a pod one of whose two claims is not allocated
    Given a claim "c" requesting 1 device
    And a claim "d" requesting 1 device
    And a pod "q" that uses claim "c"
    When the cluster settles
    Then pod "q" runs on node "worker-1"
    When a pod "p" on node "worker-1" that uses claims "c, d" is created
    And the cluster settles
    Then pod "p" is pending
    And claim "c" is reserved for pods "p, q"
    And claim "d" is not allocated

  @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario: The kubelet does not run a pod for which its allocated claim is not reserved, since it is being deleted
    Given a claim "c" requesting 1 device
    And a pod "q" that uses claim "c"
    When the cluster settles
    Then pod "q" runs on node "worker-1"
    When claim "c" is deleted
    And a pod "p" on node "worker-1" that uses claim "c" is created
    And the cluster settles
    Then pod "p" is pending
    And claim "c" is reserved for pod "q"
    And claim "c" keeps its allocation

  @DRA/pre-scheduled/kubelet-rechecks
  Scenario: A pod on a node runs once its claim is there, allocated and reserved, without being created again
    When a pod "p" on node "worker-1" that uses claim "c" is created
    And the cluster settles
    Then pod "p" is pending
    When a claim "c" requesting 1 device is created
    And the cluster settles
    Then pod "p" is pending
    When 30 seconds pass
    And a pod "q" that uses claim "c" is created
    And the cluster settles
    Then claim "c" is reserved for pods "p, q"
    And pod "p" runs on node "worker-1"
    And claim "c" is prepared on node "worker-1" with
      | device |
      | gpu-0  |

  @DRA/pre-scheduled/stuck-pod-blocks-node-resources
  Scenario: A stuck pod of 3 CPUs keeps a pod of 2 from a node with 4, and one of 1 fits beside it
    Given the object
      """
      apiVersion: v1
      kind: Node
      metadata: {name: worker-3, labels: {kubernetes.io/hostname: worker-3}}
      status: {allocatable: {cpu: "4"}}
      """
    And a pod "stuck" on node "worker-3" that uses claim "missing"
    And a pod "two" without claims
    And a pod "one" without claims
    When the Pod "stuck" is created with
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 3     |
    And the Pod "two" is created with
      | field                                     | value                              |
      | spec.containers[0].resources.requests.cpu | 2                                  |
      | spec.nodeSelector                         | {kubernetes.io/hostname: worker-3} |
    And the Pod "one" is created with
      | field                                     | value                              |
      | spec.containers[0].resources.requests.cpu | 1                                  |
      | spec.nodeSelector                         | {kubernetes.io/hostname: worker-3} |
    And the cluster settles
    Then pod "stuck" is pending
    And pod "two" is pending
    And pod "one" runs on node "worker-3"
    When pod "stuck" is deleted
    And the cluster settles
    Then pod "two" runs on node "worker-3"

  @DRA/pre-scheduled/node-selector-instead
  Scenario: A pod with a node selector on the host name gets its device on that node
    Given a claim "c" requesting 1 device
    And a pod "p" that uses claim "c"
    When the Pod "p" is created with
      | field             | value                              |
      | spec.nodeSelector | {kubernetes.io/hostname: worker-1} |
    And the cluster settles
    Then pod "p" runs on node "worker-1"
    And claim "c" is reserved for pod "p"

  @DRA/pre-scheduled/node-selector-instead
  Scenario: A pod that selects a node without the device is pending and takes no CPU there
    Given the object
      """
      apiVersion: v1
      kind: Node
      metadata: {name: worker-3, labels: {kubernetes.io/hostname: worker-3}}
      status: {allocatable: {cpu: "4"}}
      """
    And a claim "c" requesting 1 device
    And a pod "p" that uses claim "c"
    And a pod "q" without claims
    When the Pod "p" is created with
      | field                                     | value                              |
      | spec.containers[0].resources.requests.cpu | 3                                  |
      | spec.nodeSelector                         | {kubernetes.io/hostname: worker-3} |
    And the Pod "q" is created with
      | field                                     | value                              |
      | spec.containers[0].resources.requests.cpu | 2                                  |
      | spec.nodeSelector                         | {kubernetes.io/hostname: worker-3} |
    And the cluster settles
    Then pod "p" is pending
    And the Pod "p" has
      | field         | value |
      | spec.nodeName | null  |
    And pod "q" runs on node "worker-3"

  Rule: The driver prepares what was allocated, on the node of the pod

    @DRA/workflow/node-configures-device
    Scenario: The device of a claim is prepared on the node to which its pod is assigned
      Given a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs on node "worker-1"
      And claim "c" is prepared on node "worker-1" with
        | device |
        | gpu-0  |

    @DRA/workflow/node-configures-device
    Scenario: All devices of a claim are prepared, and those of every claim of the pod
      Given the devices
        | device | node     | pool | driver          |
        | nic-0  | worker-1 | nics | nic.example.com |
        | nic-1  | worker-1 | nics | nic.example.com |
      And a device class "nic" that selects
        """
        device.driver == "nic.example.com"
        """
      And a device class "gpu" that selects
        """
        device.driver == "dra.example.com"
        """
      And a claim "c" requesting 1 device of class "gpu"
      And a claim "n" requesting 2 devices of class "nic"
      And a pod "p" that uses claims "c, n"
      When the cluster settles
      Then pod "p" runs on node "worker-1"
      And claim "n" is prepared on node "worker-1" with
        | device |
        | nic-0  |
        | nic-1  |
      And claim "c" is prepared on node "worker-1"

    @DRA/workflow/node-configures-device
    Scenario: Every driver prepares what a claim has of it
      Given the device
        | device | node     | pool | driver          |
        | nic-0  | worker-1 | nics | nic.example.com |
      And a device class "gpu" that selects
        """
        device.driver == "dra.example.com"
        """
      And a device class "nic" that selects
        """
        device.driver == "nic.example.com"
        """
      And a claim "c" with the requests
        | request | class |
        | r0      | gpu   |
        | r1      | nic   |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs on node "worker-1"
      And claim "c" is prepared on node "worker-1" with
        | device |
        | gpu-0  |
        | nic-0  |

    @DRA/workflow/node-configures-device
    Scenario: A device that a claim has with admin access is prepared as any other
      Given claim "c" already holds
        | device | admin |
        | gpu-0  | yes   |
      When a pod "p" on node "worker-1" that uses claim "c" is created
      And the cluster settles
      Then pod "p" runs on node "worker-1"
      And claim "c" is prepared on node "worker-1" with
        | device |
        | gpu-0  |

    @DRA/workflow/node-configures-device
    Scenario: A claim whose pod is not on a node yet is not prepared
      Given claim "c" already holds
        | device |
        | gpu-0  |
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field                | value                        |
        | spec.schedulingGates | [{name: example.com/go}] |
      And the cluster settles
      Then pod "p" is pending
      And claim "c" is prepared on no node

    @DRA/workflow/node-configures-device
    Scenario: Nothing is prepared for a pod that is being deleted before its node is there
      Given claim "c" already holds
        | device |
        | gpu-0  |
      When a pod "p" on node "late" that uses claim "c" is created
      And the Pod "p" is updated with
        | field               | value              |
        | metadata.finalizers | [example.com/keep] |
      And the cluster settles
      Then pod "p" is pending
      And claim "c" is reserved for pod "p"
      When pod "p" is deleted
      And this object is created
        """
        apiVersion: v1
        kind: Node
        metadata: {name: late}
        """
      And the cluster settles
      Then claim "c" is reserved for pod "p"
      And claim "c" is prepared on no node

    @DRA/workflow/node-configures-device
    Scenario: A claim of pods on two nodes is prepared on each of them, and anew where it was given back
      Given the device
        | device | node | pool | driver          |
        | net-0  | *    | nets | net.example.com |
      And a device class "net" that selects
        """
        device.driver == "net.example.com"
        """
      And a claim "c" requesting 1 device of class "net"
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"
      And a pod "r" that uses claim "c"
      When the Pod "p" is created with
        | field             | value                              |
        | spec.nodeSelector | {kubernetes.io/hostname: worker-1} |
      And the cluster settles
      Then claim "c" is prepared on node "worker-1"
      When the Pod "q" is created with
        | field             | value                              |
        | spec.nodeSelector | {kubernetes.io/hostname: worker-2} |
      And the cluster settles
      Then pod "q" runs on node "worker-2"
      And claim "c" is prepared on node "worker-2"
      When pod "q" is deleted
      And the cluster settles
      Then claim "c" keeps its allocation
      When the Pod "r" is created with
        | field             | value                              |
        | spec.nodeSelector | {kubernetes.io/hostname: worker-2} |
      And the cluster settles
      Then pod "r" runs on node "worker-2"
      And claim "c" is prepared on node "worker-2"
